import { isConsent } from '../clean/ads.ts'
import { isHidden } from '../clean/hidden.ts'
import { embeddedPdf } from '../html/embedded.ts'
import { isArticleUnderLogin, isBesideContent, isButton, isLoginField, maxLogins, saidOn } from './login-box.ts'
import { lettersIn } from '../main-content/outline.ts'
import { slowReference, soonReference } from '../links/refresh.ts'
import { around } from '../html/find.ts'
import { nonContentTags } from '../html/tag-sets.ts'
import { attribute, type Document, type Element, isElement, isText, oneLine, textOf, walk } from '../html/tree.ts'
import { isNamedSite } from '../leads-up.ts'
import { tracesOf } from './traces.ts'
import { apartByAddress, apartByName } from '../../domain/pages/frames-apart.ts'
import { answersConsent, beginsWithConsent } from './wordings.ts'

/** What the rules look at; collected in one walk. */
export interface Signs {
  readonly title: string
  readonly heading: string
  /** The first heading of the second or third level, of a page that has none of the first before it. */
  readonly subheading: string
  /** Letters that a reader sees, without those of consent dialogs. */
  readonly letters: number
  readonly consentLetters: number
  /** The first words that a reader sees. */
  readonly start: string
  readonly passwords: number
  /** Fields for the user name or email address of a login. */
  readonly names: number
  /** Whether the password fields are above an article. */
  readonly loginAbove: boolean
  /** Whether there is the password field of a login; whether one is outside of banner, aside and footer. */
  readonly login: boolean
  readonly loginInside: boolean
  readonly scripts: number
  /** Characters of inline scripts, without data blocks. */
  readonly scriptLength: number
  readonly emptyRoot: boolean
  /** Whether a root container has text. */
  readonly filledRoot: boolean
  /** Letters of the root container that has most, counted up to a hundred. */
  readonly rootLetters: number
  /** Whether the page is a custom element without text: at most a splash picture. */
  readonly blankElement: boolean
  /** Whether React says that it left a part to the browser. */
  readonly leftToBrowser: boolean
  /** Whether a script at the end of the page brings what the page was sent without. */
  readonly lateData: boolean
  /** The address of an early redirect, as written; '' for none. */
  readonly refresh: string
  /** The same of a redirect that leaves time to read; only believed of a page that says it. */
  readonly slowRefresh: string
  readonly noscript: string
  /** What bot protection leaves on a page; collected when it is asked for, as hardly any page is. */
  readonly traces: string
  readonly pictures: number
  /** Those among them of which nothing can be read: drawings of scripts, and what needs another program. */
  readonly drawings: number
  /** Frames that show something else than a PDF. */
  readonly frames: number
  /** Those among them that may hold what the page is about: no players, maps, advertisements or bot checks. */
  readonly textFrames: number
  /** The first PDF embedded in the page, as written; '' for none. */
  readonly embedded: string
  readonly fields: number
  /**
   * Whether a page whose title or heading is that of a consent page has a button with an answer in its content; undefined where
   * it has no button there.
   */
  readonly asksConsent: boolean | undefined
  /** Links that a reader sees. */
  readonly links: number
}

const rootIds: ReadonlySet<string> = new Set(['root', 'app', '__next', '__nuxt', 'main-app', 'react-root', 'app-root', 'gatsby', '___gatsby', 'svelte', 'q-app', 'ember-app', 'application', 'mount', 'app-container', 'react-app', 'vue-app'])
const rootNames: ReadonlySet<string> = new Set(['app-root', 'ng-app', 'my-app', 'app-component'])

/** A login wall has fewer letters. */
export const loginLetters = 2000

/** A container with fewer letters is waiting for its scripts, and one with fewer than `blankLetters` shows nothing. */
const bareLetters = 100
export const blankLetters = 20

/** Most containers that are inspected: no page has more, and each costs what it holds. */
const maxRoots = 10

const drawingNames: ReadonlySet<string> = new Set(['canvas', 'object', 'embed'])

class Collected {
  readonly #document: Document | Element
  #traces: string | null = null
  roots = 0
  title = ''
  heading = ''
  subheading = ''
  /** Whether that is the name of the site; the next one takes its place. */
  headedBySite = false
  letters = 0
  consentLetters = 0
  start = ''
  passwords = 0
  readonly passwordFields: Element[] = []
  names = 0
  loginAbove = false
  login = false
  loginInside = false
  scripts = 0
  scriptLength = 0
  emptyRoot = false
  filledRoot = false
  rootLetters = 0
  blankElement = false
  leftToBrowser = false
  lateData = false
  refresh = ''
  slowRefresh = ''
  noscript = ''
  pictures = 0
  drawings = 0
  frames = 0
  textFrames = 0
  embedded = ''
  fields = 0
  asksConsent: boolean | undefined = undefined
  links = 0

  constructor(document: Document | Element) {
    this.#document = document
  }

  get traces(): string {
    return (this.#traces ??= tracesOf(this.#document))
  }
}

/** Everything about a page, or about what a frame of it shows, that decides its verdict and script demand, collected in one walk. */
export function signsOf(document: Document | Element): Signs {
  const signs = new Collected(document)
  walk(document, (node) => {
    if (isText(node)) addText(signs, node.data)
    return isElement(node) ? addElement(signs, node) : undefined
  })
  // The result only matters for pages with little text.
  if (signs.passwords > 0 && signs.letters < loginLetters) {
    signs.loginAbove = isArticleUnderLogin(document)
    const logins = signs.passwordFields.filter(isLoginField)
    signs.login = logins.length > 0
    signs.loginInside = logins.some((field) => !isBesideContent(field))
  }
  if (beginsWithConsent(signs.title) || beginsWithConsent(signs.heading)) signs.asksConsent = hasAnswer(document)
  return signs
}

function addText(signs: Collected, data: string): void {
  signs.letters += lettersIn(data)
  if (signs.start.length < 4000) signs.start += oneLine(data.slice(0, 2000)) + ' '
}

/** Whether a visible button outside of consent dialogs, banner, aside and footer answers for consent; undefined where there is no button. */
function hasAnswer(document: Document | Element): boolean | undefined {
  let found: boolean | undefined
  walk(document, (node) => {
    if (!isElement(node)) return undefined
    if (found === true || isHidden(node) || isConsent(node)) return false
    if (isButton(node) && !isBesideContent(node)) found = answersConsent(saidOn(node))
    return undefined
  })
  return found
}

/** Adds an element; returns false when its text does not count. */
function addElement(signs: Collected, element: Element): boolean {
  if (element.name === 'title') signs.title ||= oneLine(textOf(element, 500))
  if (element.name === 'noscript' && signs.noscript.length < 2000) signs.noscript += `${oneLine(textOf(element, 2000))} `
  if (element.name === 'script') addScript(signs, element)
  if (element.name === 'meta') {
    signs.refresh ||= soonReference(element) ?? ''
    signs.slowRefresh ||= slowReference(element) ?? ''
  }
  const pdf = embeddedPdf(element)
  if (pdf !== undefined && signs.embedded === '' && !isHidden(element)) signs.embedded = pdf
  if (pdf === undefined && isFrame(element) && !isHidden(element)) {
    signs.frames++
    if (mayHoldText(element)) signs.textFrames++
  }
  // Nothing in it is visible, but it holds titles and scripts.
  if (element.name === 'head') return true
  if (element.name === 'template') signs.leftToBrowser ||= attribute(element, 'data-dgst') === 'BAILOUT_TO_CLIENT_SIDE_RENDERING'
  if (element.name === 'noscript' || nonContentTags.has(element.name) || isHidden(element)) return false
  if (isConsent(element)) {
    signs.consentLetters += lettersIn(textOf(element, 20_000))
    return false
  }
  // An embedded PDF is no control: its content is not part of the page.
  if (pdf === undefined) addControl(signs, element)
  if (element.name === 'h1' && (signs.heading === '' || signs.headedBySite)) [signs.heading, signs.headedBySite] = [oneLine(textOf(element, 500)), isNamedSite(element)]
  if (signs.heading === '' && signs.subheading === '' && (element.name === 'h2' || element.name === 'h3')) signs.subheading = oneLine(textOf(element, 500))
  const id = attribute(element, 'id')
  if ((id !== undefined && rootIds.has(id.toLowerCase())) || rootNames.has(element.name)) addRoot(signs, element)
  else if (!signs.blankElement && element.name.includes('-') && isInBody(element)) signs.blankElement = lettersBelow(element) < blankLetters
  return true
}

const isFrame = (element: Element): boolean => (element.name === 'iframe' || element.name === 'frame') && ((attribute(element, 'src') ?? '') !== '' || bringsText(element))

// With less, it is mostly the picture and the button of a player.
const leastBrought = 100

/** Whether a frame brings its document along, with text in it. */
function bringsText(element: Element): boolean {
  const parts = (attribute(element, 'srcdoc') ?? '').slice(0, 10_000).split('<')
  const said = parts.filter((part) => !/^(?:style|script)\b/i.test(part)).map((part) => part.slice(part.indexOf('>') + 1).trim())
  return said.join(' ').trim().length >= leastBrought
}

const apartAt = new RegExp(apartByAddress, 'i')
const apartNamed = new RegExp(apartByName, 'i')
/** A frame that is lower or narrower is a button. */
const low = /^\s*\d{1,2}(?:px)?\s*$/

function mayHoldText(element: Element): boolean {
  const said = (name: string): string => (attribute(element, name) ?? '').slice(0, 2_000)
  return !apartAt.test(said('src').trim().replace(/^\/\//, 'https://')) && !['id', 'name', 'class'].some((name) => apartNamed.test(said(name))) && !low.test(said('width')) && !low.test(said('height'))
}

function isInBody({ parent }: Element): boolean {
  return parent !== null && isElement(parent) && parent.name === 'body'
}

function addRoot(signs: Collected, element: Element): void {
  if (signs.roots++ >= maxRoots) return
  const letters = lettersBelow(element)
  signs.emptyRoot ||= letters < bareLetters
  signs.filledRoot ||= letters >= blankLetters
  signs.rootLetters = Math.max(signs.rootLetters, letters)
}

/** How SvelteKit sends data that was not there yet when it sent the page: the page says instead that it is loading. */
const lateData = /^\s*__sveltekit_\w{1,30}\.resolve\(/

/** Counts scripts that run; data blocks (HTML standard, 4.12.1) do not. */
function addScript(signs: Collected, element: Element): void {
  const type = (attribute(element, 'type') ?? '').trim().toLowerCase()
  if (type === 'application/ld+json') return
  signs.scripts++
  if (type !== '' && type !== 'module' && !type.includes('javascript')) return
  const code = textOf(element, 200_000)
  signs.scriptLength += code.length
  signs.lateData ||= lateData.test(code)
}

function addControl(signs: Collected, element: Element): void {
  if (drawingNames.has(element.name) && !/^\s*image\//i.test(attribute(element, 'type') ?? '')) signs.drawings++
  if (element.name === 'img' || element.name === 'video' || drawingNames.has(element.name)) signs.pictures++
  if (element.name === 'a' && attribute(element, 'href') !== undefined) signs.links++
  if (element.name !== 'input') return
  const type = (attribute(element, 'type') ?? 'text').toLowerCase()
  if (type === 'password' && ++signs.passwords <= maxLogins) signs.passwordFields.push(element)
  else if (type === 'email' || /\b(?:username|email)\b/i.test(attribute(element, 'autocomplete') ?? '')) signs.names += isInFooter(element) ? 0 : 1
  if (type !== 'hidden') signs.fields++
}

/** Fields in a footer are for newsletters. */
const isInFooter = (element: Element): boolean => around(element, 'footer') !== undefined

/** Letters of a container, counted until it is known not to be bare. */
function lettersBelow(element: Element): number {
  let letters = 0
  walk(element, (node) => {
    if (isElement(node) && (nonContentTags.has(node.name) || node.name === 'noscript')) return false
    if (isText(node)) letters += node.data.trim().length
    return letters < bareLetters
  })
  return letters
}
