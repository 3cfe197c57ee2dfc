/** A set of element names from a space-separated list. */
function names(line: string): ReadonlySet<string> {
  return new Set(line.split(' '))
}

/** Void elements (HTML standard, 13.1.2). */
export const voidTags = names('area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr')

/** Elements whose content is text only, whatever it looks like. */
export const rawTextTags = names('script style title textarea xmp iframe noembed noframes plaintext')

/** Start tags that end an open paragraph (HTML standard, 13.2.6.4.7). */
export const closesParagraph = names(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup main menu nav ol p search section summary ul h1 h2 h3 h4 h5 h6 pre listing form table hr xmp plaintext li dd dt',
)

/**
 * Elements across which an unclosed inline element does not continue (the standard's "special" category, with a few
 * exceptions).
 */
export const specialTags = names(
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp',
)

/** Elements at which the search for an element to close stops (the standard's "in scope" list). */
export const scopeTags = names('applet caption html table td th marquee object template svg math')

/** Inline formatting elements. */
export const formattingTags = names('a b big code em font i nobr s small strike strong tt u span label abbr cite q sub sup ins del mark')

/** Elements that stay in an open head. */
export const headTags = names('base basefont bgsound link meta title style script noscript template noframes')

/** HTML start tags that end an open `svg` or `math` (HTML standard, 13.2.6.5). */
export const leavesForeign = names(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var article section main aside header footer nav figure form',
)

/** Elements inside `svg` and `math` whose children are HTML again. */
export const htmlInForeign = names('foreignobject desc title annotation-xml mi mo mn ms mtext')

/** Elements that form a block of text. */
export const blockTags = names(
  'address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p pre search section select summary table tbody td textarea tfoot th thead tr ul video audio iframe object noscript',
)

export const headingTags = names('h1 h2 h3 h4 h5 h6')

/** Elements that never hold page content. */
export const nonContentTags = names('script style template head link meta base title noembed noframes param track applet')
