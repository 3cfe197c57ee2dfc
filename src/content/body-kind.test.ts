import { expect, it } from 'vitest'
import { bodyKind } from './body-kind.ts'

it.each([
  ['text/html', '<p>x', 'html'],
  ['text/html', '{"a": 1}', 'json'],
  ['text/html', '{not json}', 'html'],
  ['text/html', '<?xml version="1.0"?><rss version="2.0">', 'xml'],
  ['text/html', '<?xml version="1.0"?><!DOCTYPE html><html>', 'html'],
  ['application/xhtml+xml', '<?xml version="1.0"?><html xmlns="x">', 'xhtml'],
  ['application/xml', '<?xml version="1.0"?><html xmlns="x">', 'xhtml'],
  ['application/rss+xml', '<rss>', 'xml'],
  ['application/json', '{"a": 1}', 'json'],
  ['application/ld+json', '[]', 'json'],
  ['application/json', '<!doctype html><html>', 'html'],
  ['text/plain', 'hello <b>', 'text'],
  ['text/plain', '  <!DOCTYPE html>\n<html>', 'html'],
  ['text/csv', 'a,b', 'text'],
  ['application/javascript', 'let a', 'text'],
  ['', '<div>x</div>', 'html'],
  ['', 'just words', 'text'],
  ['application/octet-stream', '2026-01-01 INFO <main> started', 'text'],
  ['message/rfc822', 'From: Ann <ann@example.com>\n\n<p>Hello</p>', 'text'],
  ['application/octet-stream', '<?xml version="1.0"?><kml><name>Spot</name></kml>', 'xml'],
  ['', '<?xml version="1.0"?><html><body>x', 'html'],
  ['', '', 'html'],
  ['', '[1, 2]', 'json'],
  ['application/octet-stream', '<!-- c --><html>', 'html'],
  ['application/octet-stream', '<!----><!-->\n<!-- c --> <feed>', 'xml'],
  ['', '<?xml version="1.0"?>\n<?xml-stylesheet href="a"?><!-- c --><rss>', 'xml'],
  ['', '<!-- never closed <html>', 'html'],
])('%j with %j is read as %s', (type, text, kind) => {
  expect(bodyKind(type, text)).toBe(kind)
})

// Frameworks mark component boundaries with empty comments: a pattern that can join several comments backtracks over
// all combinations.
it.each([
  ['in front of a part of a page', `${'<!---->'.repeat(200)}<div>x</div>`],
  ['that never end', '<!--'.repeat(300)],
  ['between instructions', `<?xml version="1.0"?>${'<!----><?a?>'.repeat(100)}<x>`],
])('is fast for a row of comments %s', (_, start) => {
  const began = process.cpuUsage()
  bodyKind('application/octet-stream', start)
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000)
})
