import { chosen } from './command.ts'

const noFiles = 'files are neither kept nor read here'
const noTraces = 'nothing is traced; console, errors and network requests say what a page did'
const ofSession = 'a session has one browser, which the service starts'

/** Commands of the tool that a session cannot carry out, and what there is instead. */
const missing: Readonly<Record<string, string>> = {
  close: 'the session is ended by its DELETE request',
  quit: 'the session is ended by its DELETE request',
  exit: 'the session is ended by its DELETE request',
  pdf: `${noFiles}; in node, (await page.pdf()).toString('base64') returns the file, and a scrape with the action {"type": "pdf"} keeps it`,
  upload: `${noFiles}; in node, page.setInputFiles(selector, { name, mimeType, buffer: Buffer.from(text) }) gives the page a file with that content`,
  download: `${noFiles}; read it from a page of its site, with eval 'fetch("…").then((answer) => answer.text())'`,
  state: `${noFiles}; a session with "profile": {"name": "…"} keeps cookies and storage`,
  record: 'sessions are not recorded; liveViewUrl shows them',
  trace: noTraces,
  profiler: noTraces,
  highlight: 'screenshots show no marks; get box tells where an element is',
  swipe: 'there are no gestures; scroll moves the page, drag an element',
  clipboard: 'there is no clipboard; get text reads, fill writes',
  connect: ofSession,
  install: ofSession,
  session: ofSession,
}

/** Why there is no such command here, and what to do instead; null for a command that nobody knows. */
export const whyMissing = (name: string): string | null => chosen(missing, name) ?? null
