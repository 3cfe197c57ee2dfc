import { attribute, classOf, type Element } from '../../../../html/tree.ts'
import { isNumberedPost } from '../../../kinds/numbered-posts.ts'
import type { Frame } from '../../frame.ts'

/** Fewest posts of a discussion. */
const fewest = 2
/** What microdata calls posts. */
const postType = /schema\.org\/(?:Comment|Answer|Question|DiscussionForumPosting|SocialMediaPosting)\/?$/
/** What it calls a whole page of them, or the first post. Questions alone may be those of a shop. */
const threadType = /schema\.org\/(?:QAPage|DiscussionForumPosting)\/?$/
const postClass = /(?:^|\s)(?:post|message|comment|answer|reply)(?:\s|$)/

/** Whether microdata gives an element a type like this. */
export function isTyped(element: Element, type: RegExp): boolean {
  const given = attribute(element, 'itemtype')
  return given !== undefined && type.test(given)
}

/**
 * The posts of a discussion, as indices into the outline: elements that microdata, a number or a class calls one. Posts may
 * hold replies to them. Empty for a page that is none.
 */
export function postsOf({ outline: { elements }, rules }: Frame): readonly number[] {
  if (!rules.forum && !elements.some((element) => isTyped(element, threadType))) return []
  const posts: number[] = []
  elements.forEach((element, i) => {
    if (isTyped(element, postType) || isNumberedPost(element) || postClass.test(classOf(element))) posts.push(i)
  })
  return posts.length < fewest ? [] : posts
}
