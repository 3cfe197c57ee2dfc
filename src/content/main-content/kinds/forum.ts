import { attribute, type Document, type Element, named } from '../../html/tree.ts'
import { jsonLdText } from '../../structured/ld-scripts.ts'

/** Also trackers of bugs, by the addresses of their tickets (Bugzilla, Debian, Trac, SourceForge, Launchpad, Jira), and snippets with comments. */
const forumAddress = /^[^/]*forum|^(?:forums?|community|communities|discuss|discourse|answers|boards?|talk)\.|[/.](?:forums?|threads?|topics?(?=\.|\?|$|[/-]\d)|showthread|viewtopic|discussions?|questions|question(?=\/\d)|boards?|community|comments|t)(?:[/.?]|-\d|$)|[/.]forums?-|\/(?:issues|pull|merge_requests|tickets?|bugs|\+bug)\/\d+(?:[/?#]|$)|\/browse\/[a-z][a-z\d_]+-\d+(?:[?#]|$)|\/(?:show_bug|bugreport)\.cgi\?|^gist\.|news\.ycombinator\.com|reddit\.com|stackoverflow\.com|stackexchange\.com/i
/** Job boards: `boards.` is what one of them is called, and `community` may be part of the host of another. */
const jobAddress = /^(?:(?:job-?)?boards(?:\.\w{2})?\.greenhouse|jobs?|careers?)\.|^boards\.[^/]*\/(?:[^/?#]+\/)?(?:jobs?|careers?)(?:[/?#]|$)/i
const forumSoftware = /discourse|phpbb|vbulletin|xenforo|mybb|invision|smf\b|vanilla|flarum|nodebb|question2answer|bbpress|wpforo|khoros|lithium/i

/** Characters of structured data that are searched. */
const mostData = 100_000

/** Whether users' contributions are the content, as the software, the structured data or the address of the page tells. */
export function isForum(document: Document, address: string): boolean {
  const url = address.replace(/^https?:\/\/(?:www\.)?/, '').slice(0, 300)
  if (forumAddress.test(url) && !jobAddress.test(url)) return true
  return named(document, 'meta').some(namesSoftware) || named(document, 'script').some(holdsDiscussion)
}

const namesSoftware = (meta: Element): boolean => attribute(meta, 'name') === 'generator' && forumSoftware.test((attribute(meta, 'content') ?? '').slice(0, 200))

const holdsDiscussion = (script: Element): boolean => /"(?:DiscussionForumPosting|QAPage)"/.test(jsonLdText(script, mostData))
