/** One error code: its HTTP status, whether a client may repeat the request unchanged, and what it means. */
export interface ErrorRow {
  readonly status: number
  /** True when the same request may succeed a little later. */
  readonly retry: boolean
  readonly meaning: string
}

/** Every code the service answers with. Status, documentation and OpenAPI are read from this table. */
export const errorCodes = {
  BAD_REQUEST: { status: 400, retry: false, meaning: 'The request does not fit its schema; `details` lists every problem.' },
  BAD_REQUEST_INVALID_JSON: { status: 400, retry: false, meaning: 'The request body is not valid UTF-8 JSON, or nests deeper than 64 levels.' },
  PARSE_UNSUPPORTED_OPTIONS: { status: 400, retry: false, meaning: 'The options of a parse hold what only a page that is fetched can have; the message names it.' },
  SCRAPE_JSON_CONTENT_TOO_LARGE: { status: 400, retry: false, meaning: 'The page, or the schema, is too large for the language model even in parts.' },
  UNAUTHORIZED: { status: 401, retry: false, meaning: 'The API key is missing, unknown or revoked.' },
  INSUFFICIENT_CREDITS: { status: 402, retry: false, meaning: 'The credits of the team do not cover the request.' },
  FORBIDDEN: { status: 403, retry: false, meaning: 'The job belongs to another team, the feature is not enabled for the team, or the target address is not allowed.' },
  NOT_FOUND: { status: 404, retry: false, meaning: 'No such route, job or session.' },
  JOB_EXPIRED: { status: 404, retry: false, meaning: 'The job existed; its retention has passed, or its results were erased.' },
  SCRAPE_ACTIONS_NOT_SUPPORTED: { status: 400, retry: false, meaning: 'Actions were asked for, and the address leads to a file, on which nothing can be done.' },
  SCRAPE_NO_CACHED_DATA: { status: 404, retry: false, meaning: '`minAge` was given and the cache holds nothing that matches.' },
  SCRAPE_LOCKDOWN_CACHE_MISS: { status: 404, retry: false, meaning: '`lockdown` was given and the cache holds nothing that matches.' },
  METHOD_NOT_ALLOWED: { status: 405, retry: false, meaning: 'The path exists, the method does not; see the `Allow` header.' },
  SCRAPE_TIMEOUT: { status: 408, retry: true, meaning: 'The page could not be delivered within `timeout`.' },
  CONCURRENCY_QUEUE_TIMEOUT: { status: 408, retry: true, meaning: 'The request waited for a free slot until its `timeout` ran out, or for so much of it (two thirds) that too little was left.' },
  IDEMPOTENCY_CONFLICT: { status: 409, retry: false, meaning: 'The idempotency key was used with another body, or its first request is still running.' },
  SEARCH_TIMEOUT: { status: 408, retry: true, meaning: 'Nothing was found within `timeout`.' },
  MAP_TIMEOUT: { status: 408, retry: true, meaning: 'The links of the site could not be gathered within `timeout`.' },
  PROFILE_LOCKED: { status: 409, retry: true, meaning: 'The profile is being written: by another scrape, or by a session that is open. With `saveChanges: false` it can be read meanwhile.' },
  PROFILE_QUOTA_EXCEEDED: { status: 409, retry: false, meaning: 'The profile is new, and the team keeps as many, or as much in them, as it may (`TRAWL_TEAM_PROFILES`, `TRAWL_TEAM_PROFILE_BYTES`): delete one, or set `saveChanges` to false.' },
  JOB_ALREADY_FINISHED: { status: 409, retry: false, meaning: 'The job has ended; there is nothing to cancel or to add to.' },
  REPLAY_UNAVAILABLE: { status: 409, retry: false, meaning: 'The page of the scrape cannot be shown again: what was asked for was not kept, or showing it failed. Rerun the scrape and retry.' },
  SESSION_DESTROYED: { status: 410, retry: false, meaning: 'The browser session has ended; the message says how.' },
  PAYLOAD_TOO_LARGE: { status: 413, retry: false, meaning: 'The request body is larger than 10 MB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retry: false, meaning: 'The request body is not JSON (of a parse: no multipart form), or is compressed.' },
  HEADERS_TOO_LARGE: { status: 431, retry: false, meaning: 'The request headers are larger than 32 KiB.' },
  RATE_LIMITED: { status: 429, retry: true, meaning: 'A rate limit of the key or of its team is reached; see `Retry-After`.' },
  QUEUE_FULL: { status: 429, retry: true, meaning: 'The queue of the team is full; see `Retry-After`.' },
  CONCURRENCY_LIMITED: { status: 429, retry: true, meaning: 'The team has as many browser sessions as it may have, or the session has more runs than it can do; see `Retry-After`.' },
  SCRAPE_ALL_ENGINES_FAILED: { status: 500, retry: true, meaning: 'No engine could bring the page home; `details` says why.' },
  SCRAPE_SITE_ERROR: { status: 500, retry: true, meaning: 'The site did not answer as a web server should, or (with `strict`) gave a challenge, a login wall, a consent wall, a soft 404 or an empty shell. A plain 404 is an answer, with its `statusCode`.' },
  SCRAPE_ACTION_ERROR: { status: 500, retry: false, meaning: 'An action could not be done; `details` has its `index`, `type` and `message`, and what was on the page (`seen`).' },
  SCRAPE_SSL_ERROR: { status: 500, retry: false, meaning: 'The certificate of the site did not verify and `skipTlsVerification` is false.' },
  SCRAPE_DNS_RESOLUTION_ERROR: { status: 500, retry: true, meaning: 'The host name of the page does not resolve.' },
  SCRAPE_PROXY_SELECTION_ERROR: { status: 500, retry: true, meaning: 'No proxy that the page could be fetched through works at the moment.' },
  SCRAPE_UNSUPPORTED_FILE_ERROR: { status: 500, retry: false, meaning: 'The file is of a kind that cannot be read, broken, locked, or too large to be read.' },
  SCRAPE_PDF_OCR_REQUIRED: { status: 500, retry: false, meaning: 'The PDF holds pictures of text only, and parser mode `fast` was asked for.' },
  SEARCH_FAILED: { status: 500, retry: true, meaning: 'No search provider answered, and our own index has nothing; message and `details` name the providers and say why.' },
  MAP_FAILED: { status: 500, retry: true, meaning: 'The site cannot be reached, so its links cannot be listed.' },
  UNKNOWN_ERROR: { status: 500, retry: true, meaning: 'A fault of the service; the log names it under the request id.' },
  FEATURE_NOT_CONFIGURED: { status: 501, retry: false, meaning: 'The request needs a part that is not configured or not in this release; the message names it.' },
  BROWSER_FAILURE: { status: 502, retry: true, meaning: 'The browser of the session could not be started, broke down, or cannot be reached.' },
  AGENT_FAILURE: { status: 502, retry: true, meaning: 'The agent could not do its work; the message says why.' },
  BROWSER_NOT_CONFIGURED: { status: 503, retry: false, meaning: 'The request needs a browser, or a sandbox for its code, and none is to be had; the message says what is missing.' },
  SHUTTING_DOWN: { status: 503, retry: true, meaning: 'The process is stopping.' },
  OVERLOADED: { status: 503, retry: true, meaning: 'The queue of the process is full, or its memory for large requests and answers, or the machine has no room for another thread or connection, or the database or object store cannot be reached, is damaged, or has no room left; see `Retry-After`.' },
} as const satisfies Record<string, ErrorRow>

/** A code of the table above. */
export type ErrorCode = keyof typeof errorCodes

/** Codes in the error list of a job alone: no request is answered with them, as a page has failed there and not the request. */
export const pageCodes = {
  CRAWL_DENIAL: 'robots.txt forbids the page.',
  EXTERNAL_LINK: 'A link to the bare home page of another site, which is not fetched.',
  SCRAPE_RETRY_LIMIT: 'The processes that had the page died: three in which nothing else was under way, or twelve in all. Or what became of it could not be written twelve times.',
  SCRAPE_JOB_CANCELLED: 'Not in use: pages under way when a job is cancelled are among the skipped, with the reason `cancelled`.',
} as const satisfies Record<string, string>
