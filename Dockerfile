# The service with all it can use: Chromium, confined code in Node and Python, fonts for most scripts. How to run it:
# docs/operating.md, "In a container".
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /opt/trawl
COPY . .
# What runs the service needs is about half of what builds it.
RUN npm run build && npm prune --omit=dev --no-save --ignore-scripts --no-audit --no-fund

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium-headless-shell bubblewrap python3 tini ca-certificates \
      fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/trawl
COPY --from=build /opt/trawl/package.json /opt/trawl/LICENSE ./
COPY --from=build /opt/trawl/bin bin
COPY --from=build /opt/trawl/dist dist
COPY --from=build /opt/trawl/node_modules node_modules
RUN ln -s /opt/trawl/bin/trawl.js /usr/local/bin/trawl && install -d -o node -g node -m 700 /data
# Outside the container only what `--publish` names can reach it.
ENV TRAWL_HOST=0.0.0.0 TRAWL_DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3002
# An init: the service leaves processes of browsers behind when it is killed, and someone must reap them.
ENTRYPOINT ["tini", "--", "trawl"]
CMD ["serve", "--first-run"]
