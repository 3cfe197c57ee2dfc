const icon = (path: string): string => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`

const icons = {
  back: icon('M15 5l-7 7 7 7'),
  forward: icon('M9 5l7 7-7 7'),
  reload: icon('M19 12a7 7 0 1 1-2.1-5M19 3v5h-5'),
  stop: icon('M6 6l12 12M18 6L6 18'),
  plus: icon('M12 5v14M5 12h14'),
  keyboard: icon('M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8'),
}

const button = (id: string, label: string, content: string, more = ''): string => `<button type="button" id="${id}" aria-label="${label}" title="${label}"${more}>${content}</button>`

const bar = `
<nav class="bar" aria-label="Browser">
${button('back', 'Back', icons.back, ' disabled')}${button('forward', 'Forward', icons.forward, ' disabled')}${button('reload', 'Reload', `<span class="r">${icons.reload}</span><span class="s">${icons.stop}</span>`)}
<form id="go"><input id="address" type="text" inputmode="url" aria-label="Address" placeholder="Enter an address" autocomplete="off" autocapitalize="off" spellcheck="false"></form>
${button('keyboard', 'Keyboard', icons.keyboard)}
</nav>`

const lookBar = `<div class="bar"><output id="address" class="shown" aria-label="Address"></output></div>`

const head = (title: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${title}</title>`

/**
 * The page of the live view, with `control` the interactive one. It loads its script and style from URLs next to its own.
 */
export function viewPage(control: boolean): string {
  return `${head('Live view')}<link rel="stylesheet" href="view.css"><script src="view.js" defer></script></head>
<body data-control="${control}" data-state="connecting">
<header>
<div class="tabs"><div id="tabs" role="tablist" aria-label="Tabs"></div>${control ? button('new-tab', 'New tab', icons.plus) : ''}<p id="status" role="status"><span class="dot"></span><span id="says">Connecting</span></p></div>
${control ? bar : lookBar}
<div id="progress" hidden></div>
</header>
<main id="stage"><canvas id="screen" role="img" aria-label="The page of the session" width="16" height="10"></canvas>
<textarea id="keys" aria-label="Keys and text for the page. Shift and Escape leave it." autocomplete="off" autocapitalize="off" spellcheck="false"${control ? '' : ' hidden disabled'}></textarea>
<div id="curtain"><p id="curtain-says">Connecting to the session</p></div>
<p id="toast" role="alert" hidden></p></main>
<dialog id="dialog" aria-labelledby="dialog-says"><form method="dialog"><p class="kind">The page says</p><p id="dialog-says"></p><input id="dialog-value" aria-label="Answer" hidden><div class="choices">${control ? '<button type="submit" value="cancel" id="dialog-no">Cancel</button><button type="submit" value="ok" id="dialog-yes" autofocus>OK</button>' : ''}</div></form></dialog>
<noscript><p>The live view needs scripts.</p></noscript>
</body></html>`
}

/** The page for a session that no longer exists. */
export function endedPage(): string {
  return `${head('No live session')}<link rel="stylesheet" href="view.css"></head><body data-state="ended"><main id="stage"><div id="curtain"><div><h1>Nothing to see here</h1><p>This session has ended, or the address is not complete.</p></div></div></main></body></html>`
}

/** The style of both pages. */
export const viewStyle = `
:root{color-scheme:light dark;--back:light-dark(#e9eaee,#17181c);--bar:light-dark(#fff,#24262c);--line:light-dark(#d4d6dd,#363942);--text:light-dark(#1c1e23,#eceef2);--soft:light-dark(#5b6070,#a2a8b6);--field:light-dark(#f0f1f5,#17181c);--accent:light-dark(#2456d6,#82a7ff);--good:light-dark(#14804a,#4ecb8d);--bad:light-dark(#b3261e,#ff8d85)}
*{box-sizing:border-box}
[hidden]{display:none!important}
html,body{height:100%;margin:0}
body{display:flex;flex-direction:column;height:100dvh;background:var(--back);color:var(--text);font:14px/1.4 system-ui,sans-serif;overscroll-behavior:none}
header{position:relative;background:var(--bar);border-bottom:1px solid var(--line);padding:env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left)}
.tabs,.bar{display:flex;align-items:center;gap:4px;padding:6px 8px 0}
.bar{padding:6px 8px}
#tabs{display:flex;gap:4px;min-width:0;overflow-x:auto;scrollbar-width:none}
.tab{display:flex;align-items:center;min-width:56px;max-width:210px;border-radius:8px;background:transparent;color:var(--soft)}
.tab.active{background:var(--field);color:var(--text)}
.tab button{height:32px}
.tab .name{display:block;flex:1;min-width:0;padding:0 4px 0 12px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:left;width:auto}
.tab button:disabled{opacity:1}
.tab .name:last-child{padding-right:12px}
.tab .close{width:26px}
.tab .close svg{width:13px;height:13px}
button{display:inline-flex;align-items:center;justify-content:center;flex:none;min-width:0;height:36px;width:36px;padding:0;border:0;border-radius:8px;background:transparent;color:inherit;font:inherit;cursor:pointer}
button:hover:not(:disabled){background:color-mix(in srgb,currentColor 10%,transparent)}
button:disabled{opacity:.35;cursor:default}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
svg{width:19px;height:19px;fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round}
#reload .s,body.loading #reload .r{display:none}#reload span{display:flex}body.loading #reload .s{display:flex}
#go{flex:1;min-width:0}
#address{display:block;width:100%;height:36px;padding:0 14px;border:1px solid transparent;border-radius:18px;background:var(--field);color:inherit;font:inherit;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
#address.shown{line-height:34px;color:var(--soft)}
#address:focus{border-color:var(--accent);outline:0}
#keyboard{display:none}
@media (pointer:coarse){#keyboard{display:inline-flex}#address{font-size:16px}}
#status{display:flex;align-items:center;gap:7px;flex:none;margin:0 4px 0 auto;padding-left:8px;color:var(--soft);font-size:12.5px;white-space:nowrap}
.dot{width:8px;height:8px;border-radius:50%;background:var(--soft)}
[data-state=live] .dot{background:var(--good)}[data-state=ended] .dot,[data-state=lost] .dot{background:var(--bad)}
[data-state=connecting] .dot{animation:pulse 1s infinite alternate}
#progress{position:absolute;left:0;right:0;bottom:-2px;height:2px;overflow:hidden}
#progress::after{content:"";position:absolute;inset:0;width:35%;background:var(--accent);animation:run 1.1s infinite ease-in-out}
main{position:relative;flex:1;min-height:0;display:flex;align-items:center;justify-content:center;overflow:hidden;padding:0 env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}
canvas{display:block;background:#fff;box-shadow:0 1px 8px #0003;touch-action:none;user-select:none;-webkit-user-select:none}
[data-control=true] canvas{cursor:default}
main:has(#keys:focus) canvas{outline:2px solid color-mix(in srgb,var(--accent) 60%,transparent)}
#keys{position:absolute;left:0;bottom:0;width:1px;height:1px;padding:0;border:0;opacity:0;resize:none;font-size:16px;outline:0}
#curtain{position:absolute;inset:0;display:flex;align-items:center;justify-content:center;padding:24px;background:color-mix(in srgb,var(--back) 82%,transparent);text-align:center;font-size:16px}
#curtain h1{font-size:20px;margin:0 0 8px}#curtain p{margin:0;color:var(--soft)}
[data-state=live] #curtain{display:none}
#toast{position:absolute;bottom:20px;left:50%;translate:-50% 0;max-width:90%;margin:0;padding:9px 16px;border-radius:10px;background:var(--text);color:var(--back)}
dialog{width:min(420px,90vw);padding:20px;border:1px solid var(--line);border-radius:14px;background:var(--bar);color:inherit}
dialog::backdrop{background:#0006}
dialog .kind{margin:0 0 6px;color:var(--soft);font-size:12.5px}
#dialog-says{margin:0 0 14px;white-space:pre-wrap;overflow-wrap:anywhere;max-height:40vh;overflow:auto}
#dialog-value{width:100%;height:36px;margin-bottom:14px;padding:0 10px;border:1px solid var(--line);border-radius:8px;background:var(--field);color:inherit;font:inherit}
.choices{display:flex;justify-content:end;gap:8px}
.choices button{width:auto;padding:0 16px;background:var(--field)}
#dialog-yes{background:var(--accent);color:var(--bar)}
@keyframes pulse{from{opacity:.25}}
@keyframes run{from{left:-35%}to{left:100%}}
@media (prefers-reduced-motion:reduce){*{animation:none!important}#progress::after{width:100%}}
@media (max-width:480px){.tab{max-width:130px}#says{max-width:84px;overflow:hidden;text-overflow:ellipsis}}
`
