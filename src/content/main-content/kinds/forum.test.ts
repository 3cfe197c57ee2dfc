import { expect, it } from 'vitest'
import { parse } from '../../html/parse.ts'
import { isForum } from './forum.ts'

const { document } = parse('<p>x</p>')
const forums = (paths: readonly string[]): readonly string[] => paths.filter((path) => isForum(document, `https://port.example${path}`))

it('knows discussions by their addresses', () => {
  const paths = ['/forums/boats/', '/forum-12.html', '/forum-boats-f12/', '/thread-7.html', '/t/fids/12', '/questions/12/which-fid', '/board/3', '/community/t/5', '/viewtopic.php?t=5']
  expect(forums(paths)).toEqual(paths)
})

it('takes no page for a discussion because a word of its address begins like one', () => {
  expect(forums(['/collections/t-shirts/products/red', '/board-games/tides', '/community-centre', '/comments-policy', '/questions-and-answers', '/discussion-papers/2024', '/thread-counts'])).toEqual([])
})
