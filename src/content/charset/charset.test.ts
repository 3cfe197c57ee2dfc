import { cpuMs } from '../../../test/cpu.ts'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decode } from './index.ts'

const texts = {
  western: 'Der Fluß führt nach Köln. Über die Brücke läuft täglich ein Zug, und die Kinder winken den Gästen fröhlich zu. Était-ce l’été déjà? Où êtes-vous passés, mes élèves préférés?',
  central: 'Příliš žluťoučký kůň úpěl ďábelské ódy. Zítra ráno přijedou naši přátelé z Brna a budeme společně vařit večeři. Děti už se moc těší na čerstvé jahody.',
  polish: 'Zażółć gęślą jaźń. Wczoraj wieczorem byliśmy w górach, gdzie śnieg leżał jeszcze na szczytach, a źródła były zimne jak lód. Książka leży na półce obok świecy.',
  russian: 'Вчера вечером мы долго гуляли по набережной и говорили о книгах, которые прочитали за лето. Погода была тёплая, и никто не хотел возвращаться домой.',
  ukrainian: 'Учора ввечері ми довго гуляли набережною і говорили про книжки, які прочитали за літо. Погода була тепла, і ніхто не хотів повертатися додому. Її ґанок.',
  greek: 'Χθες το βράδυ περπατήσαμε στην παραλία και μιλήσαμε για τα βιβλία που διαβάσαμε το καλοκαίρι. Ο καιρός ήταν ζεστός και κανείς δεν ήθελε να γυρίσει σπίτι.',
  turkish: 'Dün akşam sahilde uzun uzun yürüdük ve yazın okuduğumuz kitaplar hakkında konuştuk. Hava çok güzeldi, kimse eve dönmek istemiyordu. Çocuklar şarkı söylüyordu, ışıklar yanıyordu.',
  hebrew: 'אתמול בערב טיילנו לאורך הטיילת ודיברנו על הספרים שקראנו בקיץ. מזג האוויר היה נעים ואיש לא רצה לחזור הביתה.',
  arabic: 'مشينا مساء أمس على شاطئ البحر وتحدثنا عن الكتب التي قرأناها في الصيف. كان الطقس جميلا ولم يرغب أحد في العودة إلى البيت.',
  baltic: 'Vakar vakare ilgai vaikščiojome pajūriu ir kalbėjomės apie vasarą perskaitytas knygas. Oras buvo šiltas, žvaigždės švietė, ir niekas nenorėjo grįžti namo.',
  vietnamese: 'Đường đi rất đẹp và ấm áp',
  thai: 'เมื่อวานตอนเย็นเราเดินเล่นริมทะเลและคุยกันเรื่องหนังสือที่อ่านในฤดูร้อน อากาศดีมากและไม่มีใครอยากกลับบ้าน',
  japanese: '昨日の夕方、私たちは海岸を散歩しながら、夏に読んだ本について話しました。天気がとてもよかったので、誰も家に帰りたがりませんでした。カタカナも少し書きます。',
  chinese: '昨天晚上我们沿着海边散步,谈论夏天读过的书。天气很好,没有人想回家。孩子们在沙滩上唱歌,远处的灯光一闪一闪。我们决定明年再来。',
  taiwanese: '昨天晚上我們沿著海邊散步,談論夏天讀過的書。天氣很好,沒有人想回家。孩子們在沙灘上唱歌,遠處的燈光一閃一閃。我們決定明年再來。',
  korean: '어제 저녁 우리는 바닷가를 걸으며 여름에 읽은 책에 대해 이야기했습니다. 날씨가 아주 좋아서 아무도 집에 돌아가고 싶어 하지 않았습니다.',
}

interface Case {
  readonly label: string
  readonly text: keyof typeof texts
  /** The expected name; the label if they are the same. */
  readonly encoding?: string
  /** Whether statistics can detect it. */
  readonly guessed?: boolean
  readonly codec?: string
}

const cases: readonly Case[] = [
  { label: 'utf-8', text: 'russian', guessed: true },
  { label: 'utf-16le', text: 'western', guessed: true },
  { label: 'utf-16be', text: 'western', guessed: true },
  { label: 'windows-1252', text: 'western', guessed: true },
  { label: 'iso-8859-1', text: 'western', encoding: 'windows-1252', codec: 'windows-1252' },
  { label: 'iso-8859-15', text: 'western' },
  { label: 'macintosh', text: 'western' },
  { label: 'windows-1250', text: 'central', guessed: true },
  { label: 'iso-8859-2', text: 'polish', guessed: true },
  { label: 'windows-1251', text: 'russian', guessed: true },
  { label: 'koi8-r', text: 'russian', guessed: true },
  { label: 'iso-8859-5', text: 'russian', guessed: true },
  { label: 'ibm866', text: 'russian', codec: 'cp866' },
  { label: 'x-mac-cyrillic', text: 'russian', codec: 'maccyrillic' },
  { label: 'koi8-u', text: 'ukrainian' },
  { label: 'windows-1253', text: 'greek', guessed: true },
  { label: 'iso-8859-7', text: 'greek' },
  { label: 'windows-1254', text: 'turkish', guessed: true },
  { label: 'windows-1255', text: 'hebrew', guessed: true },
  { label: 'iso-8859-8-i', text: 'hebrew', codec: 'iso-8859-8' },
  { label: 'windows-1256', text: 'arabic', guessed: true },
  { label: 'iso-8859-6', text: 'arabic' },
  { label: 'windows-1257', text: 'baltic' },
  { label: 'iso-8859-13', text: 'baltic' },
  { label: 'iso-8859-4', text: 'baltic' },
  { label: 'windows-874', text: 'thai', guessed: true },
  { label: 'shift_jis', text: 'japanese', guessed: true },
  { label: 'euc-jp', text: 'japanese', guessed: true },
  { label: 'gbk', text: 'chinese', guessed: true, encoding: 'gbk' },
  { label: 'gb18030', text: 'chinese' },
  { label: 'big5', text: 'taiwanese', guessed: true },
  { label: 'euc-kr', text: 'korean', guessed: true },
]

const none = new Uint8Array()
const encode = (text: string, c: Case): Uint8Array => iconv.encode(text, c.codec ?? c.label)

describe('decode', () => {
  it.each(cases)('reads $label when the header says so', (c) => {
    const text = `<p>${texts[c.text]}</p>`
    const body = encode(text, c)
    expect(decode(body, `text/html; charset="${c.label.toUpperCase()}"`)).toEqual({ text: decodable(text, c), encoding: c.encoding ?? c.label, sure: true })
  })

  it.each(cases.filter((c) => !c.label.startsWith('utf-16')))('reads $label when the page says so', (c) => {
    const text = `<!doctype html><html><head><meta http-equiv=Content-Type content='text/html; charset=${c.label}'></head><p>${texts[c.text]}</p>`
    expect(decode(encode(text, c), 'text/html')).toEqual({ text: decodable(text, c), encoding: c.encoding ?? c.label, sure: true })
  })

  it.each(cases.filter((c) => c.guessed))('detects $label by the bytes', (c) => {
    const text = `<html><body><p class="a">${texts[c.text]}</p></body></html>`
    expect(decode(encode(text, c), undefined).text).toBe(text)
  })

  it('reads ISO-2022-JP by its shift sequences', () => {
    const bytes = Uint8Array.from([0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42, 0x41])
    expect(decode(bytes, undefined)).toEqual({ text: 'あA', encoding: 'iso-2022-jp', sure: true })
  })

  it('follows a byte order mark rather than the header', () => {
    expect(decode(Uint8Array.from([0xef, 0xbb, 0xbf, 0xc3, 0xa9]), 'text/html; charset=windows-1251')).toEqual({ text: 'é', encoding: 'utf-8', sure: true })
    expect(decode(Uint8Array.from([0xff, 0xfe, 0xe9, 0x00]), 'text/html; charset=utf-8')).toEqual({ text: 'é', encoding: 'utf-16le', sure: true })
    expect(decode(Uint8Array.from([0xfe, 0xff, 0x00, 0xe9]), undefined)).toEqual({ text: 'é', encoding: 'utf-16be', sure: true })
  })

  it.each(['text/html', 'text/html; charset=utf-8'])('reads UTF-16 without a mark if it begins with a tag, sent as %s', (type) => {
    for (const text of [texts.japanese, texts.russian]) {
      const page = `\n<p>${text}`
      expect(decode(Buffer.from(page, 'utf16le'), type)).toEqual({ text: page, encoding: 'utf-16le', sure: true })
      expect(decode(Buffer.from(page, 'utf16le').swap16(), type)).toEqual({ text: page, encoding: 'utf-16be', sure: true })
    }
    expect(decode(Buffer.from('\0<p>A\0'), type)).toMatchObject({ text: '<p>A', encoding: 'utf-8' })
  })

  it('prefers the header to the page, and uses the page when the header names nothing', () => {
    const body = encode('<meta charset=koi8-r>Привет', { label: 'windows-1251', text: 'russian' })
    expect(decode(body, 'text/html; charset=cp1251').text).toBe('<meta charset=koi8-r>Привет')
    expect(decode(body, 'text/html; charset=no-such-thing').encoding).toBe('koi8-r')
    expect(decode(body, 'text/html; charset=constructor').encoding).toBe('koi8-r')
  })

  it('reads declared UTF-16 as UTF-8 if the bytes are readable, and x-user-defined as windows-1252', () => {
    expect(decode(Buffer.from('<meta charset="utf-16">é'), undefined)).toEqual({ text: '<meta charset="utf-16">é', encoding: 'utf-8', sure: true })
    expect(decode(Uint8Array.from([...Buffer.from('<meta charset=x-user-defined>'), 0x80]), undefined)).toEqual({ text: '<meta charset=x-user-defined>€', encoding: 'windows-1252', sure: true })
  })

  it('reads an XML declaration', () => {
    const body = iconv.encode('<?xml version="1.0" encoding="windows-1251"?><rss>Привет</rss>', 'windows-1251')
    expect(decode(body, 'text/xml').encoding).toBe('windows-1251')
  })

  it('ignores declarations in comments, attributes and text', () => {
    const body = Buffer.from('<!-- <meta charset=koi8-r> --><p title="<meta charset=koi8-r>">é</p>')
    expect(decode(body, undefined)).toEqual({ text: '<!-- <meta charset=koi8-r> --><p title="<meta charset=koi8-r>">é</p>', encoding: 'utf-8', sure: true })
  })

  it('knows encodings that the platform lacks, and edge cases of those that it has', () => {
    expect(decode(Uint8Array.from([0x80, 0x81, 0x9f]), 'text/plain;charset=latin1').text).toBe('€\u0081Ÿ')
    expect(decode(Uint8Array.from([0xaa, 0xde, 0x41]), 'text/plain;charset=iso-8859-16').text).toBe('ȘȚA')
    expect(decode(Uint8Array.from([0x41, 0x80]), 'text/plain;charset=x-user-defined').text).toBe('A\uf780')
    expect(decode(Uint8Array.from([0x8c, 0x63, 0xb0, 0xa1]), 'text/plain;charset=euc-kr').text).toBe('똠가')
    expect(decode(Uint8Array.from([0x87, 0x40]), 'text/plain;charset=big5').text).toBe('䏰')
    expect(decode(Uint8Array.from([0x80, 0xa2, 0xe3]), 'text/plain;charset=gb2312').text).toBe('€€')
  })

  it('reads every encoding of the standard', () => {
    const labels = 'utf-8 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr utf-16be utf-16le x-user-defined'
    for (const label of labels.split(' ')) expect(decode(none, `text/html;charset=${label}`)).toEqual({ text: '', encoding: label, sure: true })
  })

  it('drops NUL and never returns lone surrogates, whatever the bytes', () => {
    expect(decode(Uint8Array.from([0x61, 0, 0x62]), 'text/html;charset=utf-8').text).toBe('ab')
    let state = 1
    const noise = Uint8Array.from({ length: 20_000 }, () => (state = Math.imul(state, 1664525) + 1013904223) >>> 24)
    for (const c of cases) {
      const { text } = decode(noise, `text/html; charset=${c.label}`)
      expect(Buffer.from(text, 'utf16le').equals(Buffer.from(Buffer.from(text, 'utf8').toString('utf8'), 'utf16le'))).toBe(true)
      expect(text.includes('\0')).toBe(false)
    }
  })

  it('reads UTF-8 that is broken in places as UTF-8, but is not sure', () => {
    const body = Uint8Array.from([...Buffer.from(texts.russian), 0xd0])
    expect(decode(body, undefined)).toEqual({ text: `${texts.russian}\ufffd`, encoding: 'utf-8', sure: false })
  })

  const western = encode(`<p>${texts.western}</p>`, { label: 'windows-1252', text: 'western' })
  const said = (label: string, body: Uint8Array): Uint8Array => Buffer.concat([Buffer.from(`<meta charset="${label}">`), body])

  it('does not accept bytes as UTF-8 that are not: first the page decides, then its letters', () => {
    expect(decode(western, 'text/html; charset=utf-8').encoding).toBe('windows-1252')
    expect(decode(said('utf-8', western), undefined).text).toContain('Der Fluß führt')
    const polish = said('iso-8859-2', encode(texts.polish, { label: 'iso-8859-2', text: 'polish' }))
    expect(decode(polish, 'text/html; charset=utf-8')).toMatchObject({ encoding: 'iso-8859-2', sure: true })
    expect(decode(iconv.encode('<p>It’s £5</p>', 'windows-1252'), 'text/html; charset=utf-8').text).toBe('<p>It’s £5</p>')
  })

  it('reads text with as many valid as broken characters as UTF-8 if it is declared', () => {
    expect(decode(Uint8Array.from([...Buffer.from('é'), 0xe3, 0x81]), 'text/html; charset=utf-8').text).toBe('é\ufffd')
  })

  it('reads what is clearly UTF-8 as UTF-8, whatever is declared', () => {
    const body = Buffer.from(texts.western)
    expect(decode(body, 'text/plain; charset=ISO-8859-1')).toEqual({ text: texts.western, encoding: 'utf-8', sure: true })
    expect(decode(said('gb2312', Buffer.from(texts.chinese)), undefined).encoding).toBe('utf-8')
    // These two characters in GBK happen to be valid UTF-8.
    expect(decode(iconv.encode('联通', 'gbk'), 'text/html; charset=gbk').text).toBe('联通')
  })

  it('prefers the page to a Latin-1 header if the letters agree', () => {
    const russian = encode(texts.russian, { label: 'windows-1251', text: 'russian' })
    expect(decode(said('windows-1251', russian), 'text/html; charset=ISO-8859-1').encoding).toBe('windows-1251')
    expect(decode(said('gb2312', iconv.encode(texts.chinese, 'gbk')), 'text/html; charset=ISO-8859-1').encoding).toBe('gbk')
    expect(decode(said('windows-1251', western), 'text/html; charset=ISO-8859-1').encoding).toBe('windows-1252')
  })

  it('finds a declaration after long styles in the head, and none in the text', () => {
    const meta = '<meta charset=windows-1257>'
    const style = `<style>${'.a { color: red }'.repeat(2000)}</style>`
    const text = encode(texts.baltic, { label: 'windows-1257', text: 'baltic' })
    expect(decode(Buffer.concat([Buffer.from(`<head>${style}${meta}</head>`), text]), undefined).encoding).toBe('windows-1257')
    expect(decode(Buffer.concat([Buffer.from(`<head></head>${style}${meta}`), text]), undefined).sure).toBe(false)
  })

  it('detects an encoding by the text of a page, not by its scripts and styles', () => {
    const text = encode(texts.russian, { label: 'windows-1251', text: 'russian' })
    expect(decode(Buffer.concat([Buffer.from(`<style>${'.a > b { color: red }'.repeat(4000)}</style><SCRIPT>${'if (a</b/.exec(c)) the = that;'.repeat(4000)}</SCRIPT>`), text]), undefined).encoding).toBe('windows-1251')
  })

  it('detects Shift_JIS in a table of names, but not in English with quotes', () => {
    const table = '氏名,住所\r\n山田太郎,東京都千代田区\r\n鈴木花子,大阪府大阪市\r\n'
    expect(decode(iconv.encode(table, 'shift_jis'), 'text/csv').text).toBe(table)
    const quotes = '“It’s…” – “don’t”, “can’t”, “won’t”… “We’ll see.”'
    expect(decode(iconv.encode(quotes, 'windows-1252'), 'text/plain').text).toBe(quotes)
  })

  it('detects no encoding that lacks letters of the text', () => {
    const table = 'Имя;Город\r\nИван;Москва\r\nМария;Тверь\r\n'
    expect(decode(iconv.encode(table, 'windows-1251'), 'text/csv').text).toBe(table)
  })

  it('takes linear time: ten megabytes of anything are fast', () => {
    const hostile = ['<', '<meta ', '<!--', '<meta a=', 'é', '<meta charset'].map((part) => Buffer.from(part.repeat(Math.floor(10_000_000 / part.length))))
    const all = (): void => {
      for (const body of hostile) decode(body, undefined)
    }
    expect(cpuMs(all)).toBeLessThan(10_000)
  })

  it.each([
    ['unfinished declarations', '<meta '.repeat(40_000)],
    ['a label of spaces', `<head><meta charset="a${' '.repeat(200_000)}b">`],
  ])('takes linear time in a long head: %s', (_, head) => {
    for (const end of ['', '</head>', '<body>']) expect(cpuMs(() => decode(Buffer.from(head + end), undefined))).toBeLessThan(1_000)
    expect(cpuMs(() => decode(Buffer.from('a'), `text/html; charset="${head}"`))).toBeLessThan(1_000)
  })

  it('takes no declaration from the value of an attribute, not even one of another declaration', () => {
    expect(decode(Buffer.from('<meta name=a content="<meta charset=koi8-r>"><meta charset=windows-1257>'), undefined).encoding).toBe('windows-1257')
    expect(decode(Buffer.from('<meta charset=" windows-1257\n">'), undefined).encoding).toBe('windows-1257')
  })
})

/** The part of the text that the encoding can represent. */
function decodable(text: string, c: Case): string {
  return iconv.decode(Buffer.from(encode(text, c)), c.codec ?? c.label)
}
