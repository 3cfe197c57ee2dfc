import type { Frame } from '../frame.ts'
import { keepFootnotes } from './articles/footnotes.ts'
import { keepNear } from './articles/near.ts'
import { keepCitation } from './articles/citation.ts'
import { keepSummaries } from './articles/summaries.ts'
import { keepTeaserTitles } from './articles/teasers.ts'
import { keepBylines, keepSubmitter } from './discussions/bylines.ts'
import { judgePostParts } from './discussions/post-parts.ts'
import { keepPosts } from './discussions/posts.ts'
import { keepReplies } from './discussions/replies.ts'
import { keepReviews } from './discussions/reviews.ts'
import { postsOf } from './discussions/thread.ts'
import { keepFacts } from './records/facts.ts'
import { keepListedRows } from './records/listed-rows.ts'
import { keepListings } from './records/listings.ts'
import { keepRecords } from './records/records.ts'
import { keepCodes } from './shops/codes.ts'
import { keepGoods } from './shops/goods.ts'
import { keepPrices } from './shops/prices.ts'
import { keepCodeBetween } from './software/code-between.ts'
import { keepFiles } from './software/files.ts'
import { keepParameters } from './software/parameters.ts'
import { keepHeadings, keepIntroductions, leaveLastHeadings } from './headings.ts'
import { keepHoles } from './holes.ts'
import { keepInside } from './inside.ts'
import { keepIntroduced } from './introduced.ts'
import { leaveLanguages } from './languages.ts'
import { leaveOffers } from './offers.ts'
import { keepOpeners } from './openers.ts'
import { leaveOthers } from './others.ts'
import { keepManuals, keepSections } from './sections.ts'
import { keepTabs } from './tabs.ts'
import { keepNotes, keepTerms, keepWholes } from './wholes.ts'

/** Which blocks are kept: those above the threshold, the headings that introduce them, and what makes no sense in parts. */
export function restore(frame: Frame, chances: Float32Array, threshold: number): Uint8Array {
  const kept = new Uint8Array(chances.length)
  for (let i = 0; i < kept.length; i++) kept[i] = Number((chances[i] ?? 0) >= threshold)
  keepWholes(frame, kept)
  keepManuals(frame, kept)
  keepNotes(frame, kept)
  keepTerms(frame, kept)
  keepOpeners(frame, kept)
  keepHoles(frame, kept, chances)
  keepCodeBetween(frame, kept)
  keepFootnotes(frame, kept, chances)
  keepFiles(frame, kept)
  keepHeadings(frame, kept, chances)
  leaveLastHeadings(frame, kept)
  keepTeaserTitles(frame, kept)
  keepPosts(frame, kept)
  keepReplies(frame, kept)
  const posts = postsOf(frame)
  judgePostParts(frame, kept, posts)
  keepBylines(frame, kept, posts)
  keepSubmitter(frame, kept)
  keepReviews(frame, kept)
  keepGoods(frame, kept)
  keepPrices(frame, kept)
  keepSummaries(frame, kept)
  keepCitation(frame, kept)
  keepNear(frame, kept)
  keepFacts(frame, kept)
  keepCodes(frame, kept)
  keepRecords(frame, kept)
  keepParameters(frame, kept)
  keepListings(frame, kept)
  keepListedRows(frame, kept)
  keepSections(frame, kept)
  keepInside(frame, kept)
  keepIntroductions(frame, kept, chances)
  keepIntroduced(frame, kept, chances)
  keepTabs(frame, kept)
  leaveOthers(frame, kept)
  leaveOffers(frame, kept)
  leaveLanguages(frame, kept)
  return kept
}
