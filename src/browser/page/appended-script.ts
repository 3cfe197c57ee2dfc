import { variable } from './variable.ts'

/** The variable in the isolated world with the address that the document had first, once that was noted. */
export const firstUrl = variable('url')
const firstLook = variable('first')

/**
 * A function to call before the page is scrolled: notes its address and title, and from then on what it adds. Runs in the
 * isolated world.
 */
export const noteAppended = String.raw`() => {
  // Some pages change their address as they are scrolled.
  ${firstUrl} ??= Reflect.apply(Object.getOwnPropertyDescriptor(Document.prototype, 'URL').get, document, [])
  ${firstLook} ??= (() => {
    const all = (selector) => Reflect.apply(Document.prototype.querySelectorAll, document, [selector])
    const [headings, articles, title] = [all('h1'), all('article:not(article article)'), all('title')[0]]
    const added = []
    const watch = new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) if (Reflect.get(Node.prototype, 'nodeType', node) === 1 && added.length < 2000) added.push(node)
    })
    watch.observe(document, { subtree: true, childList: true })
    return { heading: headings.length === 1 ? headings[0] : null, article: articles.length === 1 ? articles[0] : null, title: title?.textContent ?? null, added }
  })()
}`

/**
 * A function that answers the title of the page and the elements that hold other articles than its own, which news sites
 * append when their visitors come to the end; null where there are none. Parts of the page that come as it is scrolled are
 * not meant: they have no heading of the first rank, and are no articles beside its only one.
 */
export const findAppended = String.raw`() => {
  const first = ${firstLook}
  if (first === undefined || first.added.length === 0) return null
  const { heading, article, title, added } = first
  const least = 800
  const isBeside = (element, own) => own !== null && own.isConnected && !Reflect.apply(Node.prototype.contains, element, [own])
  const has = (element, selector) => Reflect.apply(Element.prototype.matches, element, [selector]) || Reflect.apply(Element.prototype.querySelector, element, [selector]) !== null
  const isOther = (element) =>
    Reflect.get(Node.prototype, 'isConnected', element) && ((isBeside(element, heading) && has(element, 'h1')) || (isBeside(element, article) && !article.contains(element) && has(element, 'article') && has(element, 'h1, h2, h3')))
    && Reflect.get(Node.prototype, 'textContent', element).length >= least
  const others = new Set(added.filter(isOther))
  return others.size === 0 ? null : { others, title }
}`
