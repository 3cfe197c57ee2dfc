/** Common names of elements and attributes. */
const names =
  'a abbr address area article aside audio b base blockquote body br button canvas caption cite code col colgroup data dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark math menu meta nav noscript object ol optgroup option output p param path picture pre q s samp script section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr tt u ul use var video wbr ' +
  'accept action align alt aria-controls aria-current aria-describedby aria-expanded aria-haspopup aria-hidden aria-label aria-labelledby as async autocomplete border cellpadding cellspacing charset checked class color colspan content controls coords crossorigin d data-id data-lazy-src data-src data-srcset data-target data-testid data-toggle data-type data-url datetime decoding defer dir disabled draggable fetchpriority fill for frameborder headers height hidden href hreflang http-equiv id integrity itemid itemprop itemscope itemtype lang loading maxlength media method name nonce onclick onload open placeholder poster preload property readonly rel required role rowspan scope selected sizes src srcset start tabindex target type usemap valign value viewbox width xmlns'
const known: ReadonlyMap<string, string> = new Map(names.split(' ').map((name) => [name, name]))

/**
 * The same name as one shared string for all pages: a string cut out of the page would be new each time, and would have to
 * be hashed and compared by letter.
 */
export function knownName(name: string): string {
  return known.get(name) ?? name
}
