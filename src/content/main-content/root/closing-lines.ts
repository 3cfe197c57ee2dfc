import { consent, signUp } from '../../passages/boilerplate.ts'

/** Letters from which on a text is more than a notice. */
export const longestClosing = 400
/** What sites say at the end of a page: who owns it, who may comment, where it was posted, where else they are found. */
const closing = new RegExp(
  [
    /^(?:©|\(c\) ?(?:19|20)\d\d|copyright (?:© ?|\(c\) ?)?(?:19|20)\d\d)|\ball rights reserved\.?$/,
    /^comments (?:are|have been) (?:now )?(?:closed|disabled|turned off)|^you (?:must|need to) (?:be logged in|log in|sign in) to (?:post|leave|write|comment|reply)|^(?:log|sign) in to (?:post|leave|write|comment|reply)/,
    /^(?:please )?enable javascript to (?:view|see|read|load) |^(?:this|the) (?:entry|post|article) (?:was|is) (?:posted|filed|published|tagged) (?:in|under|on|by) /,
    /^follow us (?:on|at) |^(?:download|get) (?:our|the) (?:free )?(?:mobile |news )?app\b/,
  ].map(({ source }) => source).join('|'),
  'i',
)

/** Whether a short text beside an article is about the site or its readers: a notice of consent, a newsletter, a line at the end of a page. */
export const isClosingLine = (line: string): boolean => closing.test(line) || consent.test(line) || signUp.test(line)
