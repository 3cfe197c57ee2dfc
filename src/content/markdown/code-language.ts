import type { AnyNode, Element } from 'domhandler'
import { isElement } from '../html/tree.ts'
import { classesOf, walk } from './dom.ts'

const prefixed = /(?<= )(language|mw-highlight-lang|lang|highlight-source|highlight-text|gatsby-code|src|code|brush)([-:] ?| )(?=([a-z\d][\w+#.]*(?:-[a-z\d]+)?))/g
const none = new Set(['none', 'text', 'plain', 'plaintext', 'txt', 'nohighlight', 'auto', 'default', 'code', 'block', 'highlight', 'container', 'line', 'wrapper', 'snippet', 'group', 'tabs', 'box', 'title', 'header', 'panel'])
/** Languages that highlighters name by the language's own name as a class, without a prefix. */
const bare = new Set(
  'bash sh shell zsh console powershell python py javascript js typescript ts jsx tsx java kotlin scala go golang rust c cpp csharp cs php ruby rb perl lua r swift sql html xml css scss sass less json yaml yml toml ini diff makefile dockerfile graphql haskell elixir erlang clojure dart julia matlab objectivec vim latex tex markdown md nginx apache groovy protobuf http'.split(' '),
)
/** The wrapper that Sphinx and Jupyter put around a code block. */
const wrapper = / (?:highlight|hl)-([a-z][a-z\d+#]*) /
/** Classes of highlighters: beside one of them, and on code itself, a bare language name is the language. */
const highlighter = / (?:highlight|hljs|sourcecode|codehilite|prettyprint|prettyprinted|sunlight|shiki|chroma|rouge|syntax|code-block|codeblock|code) /

/** What boxes around code name: one may hold any number of blocks. */
const ofBoxes = new WeakMap<Element, string>()

/**
 * The language of a code block as its highlighter names it: on the block, on the code inside, or on a wrapper; '' when
 * unknown.
 */
export function codeLanguage(element: Element, skip: ReadonlySet<AnyNode>): string {
  const own = languageOf(element)
  if (own !== '') return own
  const inner = innerLanguage(element, skip)
  if (inner !== '') return inner
  let parent = element.parent
  for (let up = 0; up < 5 && parent && isElement(parent) && parent.name !== 'body' && parent.name !== 'article'; up++) {
    const found = ofBoxes.get(parent) ?? languageOf(parent)
    ofBoxes.set(parent, found)
    if (found !== '') return found
    parent = parent.parent
  }
  return ''
}

function innerLanguage(element: Element, skip: ReadonlySet<AnyNode>): string {
  let found = ''
  let seen = 0
  walk(element, (node) => {
    if (skip.has(node)) return 'over'
    if (isElement(node) && (node.name === 'code' || node.name === 'pre' || node.name === 'table')) found = languageOf(node)
    return found !== '' || ++seen > 30 ? 'stop' : 'into'
  })
  return found
}

function languageOf(element: Element): string {
  const { attribs } = element
  const named = attribs['data-lang'] ?? attribs['data-language'] ?? attribs['data-code-language'] ?? (element.name === 'pre' ? (attribs['lang'] ?? attribs['language']) : undefined)
  if (named) return tidy(named)
  // Confluence names it among other parameters.
  const parameter = /(?:^|;)\s*brush:\s*([\w+#.-]{1,30})/.exec(attribs['data-syntaxhighlighter-params']?.slice(0, 300) ?? '')?.[1]
  if (parameter !== undefined) return tidy(parameter)
  const classes = classesOf(element)
  if (classes === '') return ''
  const found = prefixedIn(classes)
  if (found !== '') return found
  const wrapped = (wrapper.exec(classes)?.[1] ?? '').replace(/^i(?=python)/, '')
  if (bare.has(wrapped.replace(/\d+$/, ''))) return wrapped
  if (!highlighter.test(classes) && element.name !== 'code' && element.name !== 'pre') return ''
  return classes.split(/\s+/).find((name) => bare.has(name)) ?? ''
}

/** The language behind a prefix. Behind a space or `code-` other words may stand: `code highlight`, `code-wrap`. */
function prefixedIn(classes: string): string {
  for (const [, prefix, sign, name = ''] of classes.matchAll(prefixed)) {
    const language = tidy(name)
    if (language !== '' && ((prefix !== 'code' && sign !== ' ') || bare.has(language))) return language
  }
  return ''
}

/** A name that may follow a fence; '' for names that mean "no language". */
function tidy(name: string): string {
  const word = name.trim().toLowerCase()
  return /^[\w+#.-]{1,30}$/.test(word) && !none.has(word) ? word : ''
}
