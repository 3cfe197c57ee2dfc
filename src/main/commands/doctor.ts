import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { access, constants } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { noneHint } from '../../browser/index.ts'
import { faultText } from '../../domain/model.ts'
import { languages } from '../../spec/interact.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { ownEndpoints } from '../../net/index.ts'
import { makeFolder } from '../../store/index.ts'
import { missingLanguages, type OcrPrograms } from '../../parsers/index.ts'
import { apartBecause } from '../parts/blob-marker.ts'
import { openBlobPlace } from '../parts/blobs.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { blobOptions } from '../settings/options.ts'
import { machineLimits } from './doctor-limits.ts'
import { proxies, searchProviders } from './doctor-ways.ts'
import { extractorPath } from '../parts/extractor.ts'
import { absent, broken, callOf, type Finding, ok, reason } from './findings.ts'
import { noLog } from '../log.ts'
import { openModel } from '../parts/model.ts'
import { outbound } from '../parts/outbound.ts'
import { ocrOf, sandboxOf, wallsOf } from '../parts/sandbox.ts'
import { pageOnce } from './scrape-once.ts'
import { openStoreOf } from '../parts/store.ts'
import { assertUsable } from '../settings/usable.ts'

const minNode = [20, 19] as const
const page = '<!doctype html><title>Doctor</title><main><h1>Doctor</h1><p>If you can read this sentence, fetching and reading pages works.</p></main>'

async function node(): Promise<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const enough = major > minNode[0] || (major === minNode[0] && minor >= minNode[1])
  return enough ? ok(`Node.js ${process.versions.node}`) : broken(`Node.js ${process.versions.node} is too old; ${minNode.join('.')} or newer is needed`)
}

async function dataFolder(config: Config): Promise<Finding> {
  const folder = resolve(config.TRAWL_DATA_DIR)
  try {
    await makeFolder(folder, 0o700)
    await access(folder, constants.W_OK)
    return ok('data folder can be written')
  } catch (error) {
    return broken(`data folder (TRAWL_DATA_DIR) cannot be written: ${reason(error)}`)
  }
}

async function storeWorks(config: Config): Promise<Finding> {
  try {
    const store = await openStoreOf(config, { admin: true })
    try {
      await store.ping()
      const keys = (await store.accounts.keys()).filter((key) => key.revokedAt === null).length
      const hint = config.TRAWL_AUTH === 'off' ? 'keys are off' : keys === 0 ? 'no API key yet: "trawl keys create"' : `${keys} working API key(s)`
      return ok(`store: ${store.name}, ${hint}`)
    } finally {
      await store.close()
    }
  } catch (error) {
    return broken(`store: ${reason(error)}`)
  }
}

async function blobsWork(config: Config): Promise<Finding> {
  try {
    const { kind } = blobOptions(config)
    const blobs = await openBlobPlace(config, ownEndpoints())
    try {
      const bytes = Buffer.from('A blob that trawl doctor has written; the next sweep but one takes it away.')
      const back = await blobs.get(await blobs.put(bytes))
      // "Missing" must be distinguishable from "not readable".
      const none = await blobs.get('0'.repeat(64))
      const where = kind === 's3' ? 'object store' : 'folder'
      return back !== null && bytes.equals(back) && none === null ? ok(`blobs: ${where}, can be written and read`) : broken(`blobs: ${where}, a blob came back wrong`)
    } finally {
      blobs.close()
    }
  } catch (error) {
    const text = reason(error)
    const cause = error instanceof Error && error.cause instanceof Error && !text.includes(error.cause.message) ? ` (${error.cause.message})` : ''
    return broken(`blobs (${config.TRAWL_BLOB_URL === null ? 'TRAWL_DATA_DIR' : 'TRAWL_BLOB_URL'}): ${text}${cause}`)
  }
}

async function settingsFit(config: Config): Promise<Finding> {
  try {
    assertUsable(config)
    return ok('settings fit together')
  } catch (error) {
    return broken(reason(error))
  }
}

/** For a fleet: whether this machine keeps blobs in the same place as the others. */
async function onePlace(config: Config): Promise<readonly Finding[]> {
  if (config.TRAWL_DATABASE_URL === null) return []
  try {
    const store = await openStoreOf(config, { admin: true })
    const place = await openBlobPlace(config, ownEndpoints())
    try {
      const why = await apartBecause(store.blobMarker, place)
      return why === null ? [] : [broken(`blobs (TRAWL_BLOB_URL): ${why}`)]
    } finally {
      place.close()
      await store.close()
    }
  } catch {
    // Reported by the checks of the store and of the place.
    return []
  }
}

/** Serves a page on loopback and scrapes it. */
async function realScrape(config: Config): Promise<Finding> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(page))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  try {
    return await scrapeOwn((server.address() as AddressInfo).port, config) // a TCP server that listens
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Scrapes that page through the same egress guard, fetcher and reader as any other page. */
async function scrapeOwn(port: number, config: Config): Promise<Finding> {
  const out = outbound({ ...config, TRAWL_ALLOW_PRIVATE_ADDRESSES: [`127.0.0.1:${port}`], TRAWL_PROXY_BASIC: [], TRAWL_PROXY_ENHANCED: [] }, { now: Date.now }, noLog)
  try {
    const started = performance.now()
    const { page: made } = await pageOnce(ScrapeRequest.parse({ url: `http://127.0.0.1:${port}/`, timeout: 10_000, maxAge: 0 }), config, out)
    const right = made.fields().markdown?.includes('If you can read this sentence') === true
    return right ? ok(`scraped a page of its own in ${Math.round(performance.now() - started)} ms`) : broken('a page of its own came back wrong')
  } catch (error) {
    return broken(`a page of its own could not be scraped: ${reason(error)}`)
  } finally {
    await out.close()
  }
}

const browserMs = 20_000

/** The browser for rendering; everything else works without it. */
async function chromium(config: Config): Promise<readonly Finding[]> {
  const out = outbound(config, { now: Date.now }, noLog)
  try {
    const { found, passedOver } = await out.browser.search()
    const others = passedOver.map((text) => absent(`browser, passed over: ${text}`))
    if (found === null) return [...others, absent(`browser: ${noneHint({ path: config.TRAWL_CHROMIUM_PATH })}; pages are fetched without running their scripts`)]
    const confined = await out.browser.confined(callOf(browserMs))
    const open = confined === false ? [absent('browser sandbox: this machine does not let it be built (user namespaces, or no other user to start as); pages run without it')] : []
    return [...others, ok(`browser: ${found.kind === 'remote' ? 'a running Chromium' : found.version} (${found.source})`), ...open]
  } catch (error) {
    // The message for clients refers to this command. That of a Chromium elsewhere may hold its address, with a key.
    const why = config.TRAWL_CDP_URL === null && error instanceof Error && error.cause !== undefined ? `it does not start: ${reason(error.cause)}` : reason(error)
    return [broken(`browser: ${why.split('\n', 1)[0] ?? ''}`)]
  } finally {
    await out.close()
  }
}

/** How users' code is confined, by language. */
async function code(config: Config): Promise<readonly Finding[]> {
  const sandbox = sandboxOf(config)
  try {
    const levels = await sandbox.levels()
    return languages.map((language) => {
      const { level, reason: why } = levels[language]
      if (level === 'off') return absent(`code in ${language}: not run, as ${why}`)
      return level === 'trusted' ? absent(`code in ${language}: runs unconfined (${why})`) : ok(`code in ${language}: confined (${why})`)
    })
  } finally {
    await sandbox.close()
  }
}

/** Languages that text recognition is to expect, and cannot read. */
async function languagesOf(ocr: OcrPrograms | null): Promise<readonly Finding[]> {
  const missing = ocr && (await missingLanguages(ocr, AbortSignal.timeout(programMs)))
  return missing === null || missing.length === 0 ? [] : [broken(`text recognition: tesseract has no file for ${missing.join(', ')} (TRAWL_OCR_LANGUAGES)`)]
}

/** Programs of the machine that read untrusted files, and whether they are confined. */
async function programs(config: Config): Promise<readonly Finding[]> {
  const why = await (await wallsOf(config)()).why()
  const [ocr, extractor] = [ocrOf(config), extractorPath(config)]
  return [
    ...(await languagesOf(ocr)),
    ocr === null ? absent('text recognition: none (tesseract, TRAWL_OCR)') : why === null ? ok('text recognition: tesseract, confined') : absent(`text recognition: tesseract runs unconfined, as ${why}`),
    extractor === null ? absent('media extractor: none (yt-dlp, TRAWL_MEDIA_EXTRACTOR)') : why === null ? ok(`media extractor: ${basename(extractor)}, confined`) : absent(`media extractor: ${basename(extractor)} is not run, as ${why}`),
  ]
}

const modelMs = 30_000
const programMs = 10_000

/** Whether the language models answer, including the one for long texts; each is asked for one word. */
async function languageModel(config: Config): Promise<readonly Finding[]> {
  try {
    const model = openModel(config, { own: ownEndpoints(), abilities: { recall: async () => null, note: async () => undefined }, ledger: { addTokens: async () => undefined } })
    if (model === null) return [absent('language model: none (TRAWL_LLM_BASE_URL, TRAWL_LLM_MODEL)')]
    const call = callOf(modelMs)
    const names = [config.TRAWL_LLM_MODEL, ...(config.TRAWL_LLM_LONG_MODEL === null ? [] : [config.TRAWL_LLM_LONG_MODEL])]
    try {
      return await Promise.all(
        names.map(async (name, at) => {
          const answer = await model.complete({ purpose: 'doctor', system: 'Answer with one word.', prompt: 'Answer with the word yes.', long: at > 0 }, call)
          // A model that reasons first may have no room for the word: it is available.
          return answer.ok || answer.fault === 'unusable' ? ok(`language model: ${name} answers`) : broken(`language model: ${name} (TRAWL_LLM_*): ${faultText[answer.fault]}`)
        }),
      )
    } finally {
      model.close()
    }
  } catch (error) {
    return [broken(`language model: ${reason(error)}`)]
  }
}

const credits = (config: Config): Finding => (config.TRAWL_CREDITS === null ? ok('credits are counted, never refused') : ok(`credits: ${config.TRAWL_CREDITS} for each new team`))

const marks: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', absent: 'absent ', broken: 'BROKEN ' }

const checks: readonly ((config: Config) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>)[] = [
  node, machineLimits, settingsFit, dataFolder, storeWorks, blobsWork, onePlace, realScrape, proxies, chromium, code, programs, languageModel, searchProviders, credits,
]

/** Runs a check; one that the settings prevent has no finding of its own, because the check of the settings says why. */
async function findingsOf(check: (typeof checks)[number], config: Config): Promise<readonly Finding[]> {
  try {
    return [await check(config)].flat()
  } catch (error) {
    if (error instanceof ConfigError) return []
    throw error
  }
}

/** `trawl doctor`: prints what is there and what is missing; returns whether everything required works. */
export async function doctor(config: Config): Promise<boolean> {
  const findings: Finding[] = []
  for (const check of checks) findings.push(...(await findingsOf(check, config)))
  for (const { state, text } of findings) console.log(marks[state] + text)
  return findings.every(({ state }) => state !== 'broken')
}
