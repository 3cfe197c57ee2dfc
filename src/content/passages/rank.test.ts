import { describe, expect, it } from 'vitest'
import { best, passagesOf, termsOf } from './rank.ts'
import { extractiveSummary } from './summary.ts'

describe('the words of a text', () => {
  it.each([
    ['Łódź, CAFÉ und Größe', ['lodz', 'cafe', 'grosse']],
    ['İSTANBUL ışık', ['istanbul', 'isik']],
    ['Ελλάδα ΕΛΛΑΔΑ', ['ελλαδα', 'ελλαδα']],
    ['단풍은', ['단풍', '풍은']],
    ['紅葉とAI2', ['紅葉', '葉と', 'ai2']],
    ['ข้าว', ['ข้', '้า', 'าว']],
    ['दाल बाटी', ['दाल', 'बाटी']],
    ['كِتَاب', ['كتاب']],
    ['ﬁne １２', ['fine', '12']],
  ])('of %s are %j', (text, terms) => expect(termsOf(text)).toEqual(terms))
})

describe('the best passage', () => {
  const page = ['# Ταξίδια', 'Μετά τον περίπατο δοκιμάστε μπουγάτσα στην παλιά αγορά της πόλης.', '## Krajowe', 'Żeby uniknąć tłumów, warto przyjść wcześnie rano w dzień powszedni.', '## 여행', '한라산의 단풍은 예년보다 조금 늦게 절정을 맞을 것으로 보인다.'].map((line) => line.padEnd(line.startsWith('#') ? 0 : 720, ' x')).join('\n\n')
  it.each([
    ['μπουγατσα', 'μπουγάτσα'],
    ['TLUMOW', 'tłumów'],
    ['단풍', '단풍은'],
  ])('for %s contains %s', (query, word) => {
    const [passage] = best(page, query, 1)
    expect(passage?.text).toContain(word)
  })

  it('is part of a long text without spaces between its sentences', () => {
    const [passage] = best(`${'北京的秋天是一年中最美的季节，游客从各地前来观赏。'.repeat(60)}糖炒栗子值得一试。${'地铁和公交车都可以到达主要景点，交通非常方便。'.repeat(60)}`, '栗子', 1)
    expect(passage?.text).toContain('糖炒栗子值得一试。')
    expect(passage?.text.length).toBeLessThan(1_000)
  })
})

describe('a summary', () => {
  it.each([
    ['تعد مراكش من أجمل المدن المغربية في فصل الخريف. يقصد الزوار ساحة جامع الفنا كل مساء لسماع القصص. هل تحب السفر إلى المدن القديمة في الشتاء؟ ', '؟'],
    ['जयपुर सर्दियों में घूमने के लिए सबसे अच्छी जगह है। आमेर का किला शहर का सबसे प्रसिद्ध आकर्षण है। शाम को बाज़ार में दाल बाटी चूरमा ज़रूर चखें। ', '।'],
    ['京都の秋は赤や黄色に染まる季節である。嵐山や清水寺には多くの客が訪れる。朝早い時間に訪れるのがよい。', '。'],
  ])('consists of complete sentences of a long text: %s', (text, end) => {
    const summary = extractiveSummary(`${text.repeat(3)}${text.trimEnd()}`)
    expect(summary.length).toBeLessThan(text.length + 10)
    expect(summary.endsWith(end)).toBe(true)
  })
})

it.each([
  ['a text without ends of sentences', '潮汐表'.repeat(2_000)],
  ['a line of code', `~~~\n${'tide;'.repeat(10_000)}\n~~~`],
])('passages that can be quoted are cut from %s', (_, text) => {
  const passages = passagesOf(text)
  expect(Math.max(...passages.map((passage) => passage.text.length))).toBeLessThan(3_000)
  for (const passage of passages) expect(text.slice(passage.start, passage.end).trimEnd()).toBe(passage.text)
  expect(passages.map((passage) => passage.text).join('')).toBe(text)
})
