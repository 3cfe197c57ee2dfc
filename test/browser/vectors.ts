/** The ways in which a page can make the browser connect to `to` (`host:port`); each requests a path with its name. */
export const vectors: Readonly<Record<string, (to: string) => string>> = {
  fetch: (to) => `fetch('http://${to}/fetch',{mode:'no-cors'}).catch(()=>{})`,
  xhr: (to) => `const x=new XMLHttpRequest();x.open('GET','http://${to}/xhr');x.send()`,
  'post-keepalive': (to) => `fetch('http://${to}/post-keepalive',{method:'POST',mode:'no-cors',keepalive:true,body:'x'}).catch(()=>{})`,
  beacon: (to) => `navigator.sendBeacon('http://${to}/beacon','x')`,
  eventsource: (to) => `new EventSource('http://${to}/eventsource')`,
  websocket: (to) => `new WebSocket('ws://${to}/websocket')`,
  img: (to) => `new Image().src='http://${to}/img'`,
  script: (to) => element('script', 'src', to, 'script'),
  module: (to) => `import('http://${to}/module').catch(()=>{})`,
  stylesheet: (to) => `const l=document.createElement('link');l.rel='stylesheet';l.href='http://${to}/stylesheet';document.head.append(l)`,
  'css-import': (to) => `const s=document.createElement('style');s.textContent='@import url(http://${to}/css-import)';document.head.append(s)`,
  'css-image': (to) => `const d=document.createElement('div');d.style.cssText='width:9px;height:9px;background:url(http://${to}/css-image)';document.body.append(d)`,
  font: (to) => `new FontFace('f','url(http://${to}/font)').load().catch(()=>{})`,
  iframe: (to) => element('iframe', 'src', to, 'iframe'),
  'iframe-in-srcdoc': (to) => `const f=document.createElement('iframe');f.srcdoc='<iframe src="http://${to}/iframe-in-srcdoc">';document.body.append(f)`,
  object: (to) => element('object', 'data', to, 'object'),
  embed: (to) => element('embed', 'src', to, 'embed'),
  video: (to) => `const v=document.createElement('video');v.preload='auto';v.src='http://${to}/video';document.body.append(v)`,
  audio: (to) => `new Audio('http://${to}/audio').load()`,
  track: (to) => `const v=document.createElement('video');v.innerHTML='<track default src="http://${to}/track">';v.crossOrigin='anonymous';document.body.append(v);v.textTracks[0].mode='showing'`,
  'svg-image': (to) => `const d=document.createElement('div');d.innerHTML='<svg><image href="http://${to}/svg-image" width="9" height="9"/></svg>';document.body.append(d)`,
  preload: (to) => `const l=document.createElement('link');l.rel='preload';l.as='image';l.href='http://${to}/preload';document.head.append(l)`,
  prefetch: (to) => `const l=document.createElement('link');l.rel='prefetch';l.href='http://${to}/prefetch';document.head.append(l)`,
  'dns-prefetch': (to) => `const l=document.createElement('link');l.rel='dns-prefetch';l.href='http://${to}/';document.head.append(l)`,
  preconnect: (to) => `const l=document.createElement('link');l.rel='preconnect';l.href='http://${to}/';document.head.append(l)`,
  speculation: (to) => `const s=document.createElement('script');s.type='speculationrules';s.textContent=JSON.stringify({prefetch:[{source:'list',urls:['http://${to}/speculation'],eagerness:'immediate'}],prerender:[{source:'list',urls:['http://${to}/speculation-prerender'],eagerness:'immediate'}]});document.head.append(s)`,
  ping: (to) => `const a=document.createElement('a');a.href='#';a.ping='http://${to}/ping';document.body.append(a);a.click()`,
  'worker-fetch': (to) => `new Worker(URL.createObjectURL(new Blob(["fetch('http://${to}/worker-fetch',{mode:'no-cors'}).catch(()=>{})"])))`,
  'worker-websocket': (to) => `new Worker(URL.createObjectURL(new Blob(["new WebSocket('ws://${to}/worker-websocket')"])))`,
  'shared-worker-fetch': (to) => `new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://${to}/shared-worker-fetch',{mode:'no-cors'}).catch(()=>{})"])))`,
  'service-worker': (to) => `navigator.serviceWorker?.register('/sw.js?to=${to}').catch(()=>{})`,
  webtransport: (to) => `try{new WebTransport('https://${to}/webtransport').ready.catch(()=>{})}catch{}`,
  redirect: (to) => `fetch('/redirect?to=${encodeURIComponent(`http://${to}/redirect`)}',{mode:'no-cors'}).catch(()=>{})`,
  'redirect-frame': (to) => `const f=document.createElement('iframe');f.src='/redirect?to=${encodeURIComponent(`http://${to}/redirect-frame`)}';document.body.append(f)`,
  'form-in-frame': (to) => `const f=document.createElement('iframe');f.name='n';document.body.append(f);const m=document.createElement('form');m.method='post';m.target='n';m.action='http://${to}/form-in-frame';document.body.append(m);m.submit()`,
  popup: (to) => `open('http://${to}/popup')`,
  https: (to) => `fetch('https://${to}/https',{mode:'no-cors'}).catch(()=>{})`,
  webrtc: (to) => `const p=new RTCPeerConnection({iceServers:[{urls:['stun:${to}','turn:${to}?transport=udp','turn:${to}?transport=tcp'],username:'u',credential:'c'}]});p.createDataChannel('d');p.createOffer().then(o=>p.setLocalDescription(o))`,
  'webrtc-candidate': (to) => {
    const { hostname, port } = new URL(`http://${to}`)
    const line = `candidate:1 1 udp 2122260223 ${hostname.replace(/[[\]]/g, '')} ${port} typ host`
    return `const a=new RTCPeerConnection(),b=new RTCPeerConnection();a.createDataChannel('d');a.createOffer().then(async o=>{await a.setLocalDescription(o);await b.setRemoteDescription(o);const w=await b.createAnswer();await b.setLocalDescription(w);await a.setRemoteDescription(w);await a.addIceCandidate({candidate:'${line}',sdpMid:'0',sdpMLineIndex:0})}).catch(()=>{})`
  },
}

function element(tag: string, attribute: string, to: string, path: string): string {
  return `const e=document.createElement('${tag}');e.${attribute}='http://${to}/${path}';document.body.append(e)`
}

/** The ways in which a page navigates itself, or what it opens, elsewhere; each ends the current page. */
export const departures: Readonly<Record<string, (to: string) => string>> = {
  location: (to) => `<script>location='http://${to}/location'</script>`,
  'meta-refresh': (to) => `<meta http-equiv="refresh" content="0;url=http://${to}/meta-refresh">`,
  'form-post': (to) => `<form method=post action="http://${to}/form-post"></form><script>document.forms[0].submit()</script>`,
  'link-click': (to) => `<a href="http://${to}/link-click">x</a><script>document.links[0].click()</script>`,
  'header-redirect': (to) => `<script>location='/redirect?to='+encodeURIComponent('http://${to}/header-redirect')</script>`,
  'data-page': (to) => `<iframe src="data:text/html,<script>location='http://${to}/data-page'</script>"></iframe>`,
  'javascript-url': (to) => `<a href="javascript:location='http://${to}/javascript-url'">x</a><script>document.links[0].click()</script>`,
  'base-href': (to) => `<base href="http://${to}/"><img src="base-href">`,
}

/** A page that tries every vector with every address. */
export function vectorPage(targets: readonly string[]): string {
  const scripts = targets.flatMap((to) => Object.values(vectors).map((vector) => `try{(()=>{${vector(to)}})()}catch{}`))
  return `<!doctype html><title>vectors</title><body><h1>vectors</h1><script>${scripts.map((one) => `{${one}}`).join('\n').replaceAll('</', '<\\/')}</script>`
}
