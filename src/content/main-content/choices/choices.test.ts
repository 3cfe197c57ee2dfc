import { describe, expect, it } from 'vitest'
import { read } from '../../reading.ts'
import { readDefaults } from '../../../domain/pages/reading.ts'

const data = '<script type="application/ld+json">{"@type": "Product", "name": "Skiff"}</script>'
const prose = '<p>A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.</p>'

function markdownOf(body: string, head = data, options = readDefaults): string {
  const capture = { requestedUrl: 'https://site.example/skiff', url: 'https://site.example/skiff', status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: Buffer.from(`<head><title>Skiff</title>${head}</head><body>${body}</body>`), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  return read(capture, options).markdown().replaceAll(prose.slice(3, -4), 'P').replace(/\n+/g, ' | ')
}

const buy = '<button>Add to cart</button>'
const select = '<label for=w>Wood</label><select id=w><option value="">Choose an option</option><option>Oak</option><option>Larch</option></select>'
const radios = '<fieldset><legend>Colour: <span>Red</span></legend><input type=radio name=c id=r value=Red checked><label for=r>Red<span>Sold out</span></label><label><input type=radio name=c value=7>Dark blue</label></fieldset>'
const page = (form: string, more = ''): string => `<main><h1>Skiff</h1><form action=/cart>${form}${buy}</form>${prose}${more}</main>`

describe('the choices of a product', () => {
  it.each([
    ['are a line for each field, on a short page', page(select + radios), '# Skiff | Wood: Oak, Larch | Colour: Red, Dark blue | P | '],
    ['are a line for each field, on a long page', page(select + radios, prose.repeat(9)), `# Skiff | Wood: Oak, Larch | Colour: Red, Dark blue | ${'P | '.repeat(10)}`],
    ['stand in what the rules left out around them, and nothing else of it does', page(`<div class=actions><p>Ask us</p><div role=radiogroup aria-label=Length><input type=radio aria-label="4 m"><input type=radio aria-label="5 m"></div></div>`), '# Skiff | Length: 4 m, 5 m | P | '],
    ['are none without a second value, and no number of pieces', page('<select><option>Default</option></select><select aria-label=Quantity><option>1</option><option>2</option></select>'), '# Skiff | P | '],
    ['are not what a form asks that is sent by another button', `<main><h1>Skiff</h1><form><input type=email><select><option>Daily</option><option>Weekly</option></select><button>Send</button></form><form>${radios}${buy}</form>${prose}<form><select><option>Newest</option><option>Oldest</option></select>${buy}</form></main>`, '# Skiff | Colour: Red, Dark blue | P | '],
    ['are not what is sent with another form, and may stand beside their own', `<main><h1>Skiff</h1><fieldset><legend>Length</legend><input type=radio value="4 m" form=f aria-label="4 m"><input type=radio value="5 m" form=f aria-label="5 m"></fieldset><form>${select}</form><form><button>Save for later</button></form><form id=f>${buy}</form>${prose}</main>`, '# Skiff | Length: 4 m, 5 m | P | '],
    ['may stand in no form, where a script sends them', `<main><h1>Skiff</h1>${radios}<form action=/cart>${buy}</form>${prose}</main>`, '# Skiff | Colour: Red, Dark blue | P | '],
    ['are not what stands in no form before the button of another one', `<main><h1>Skiff</h1><select aria-label=Currency><option>EUR</option><option>USD</option></select><form><button>Save for later</button></form><form>${radios}${buy}</form>${prose}</main>`, '# Skiff | Colour: Red, Dark blue | P | '],
    ['have the name of the label right before the field, if it names no other field', page('<label>Wood *</label> <select><option>Oak</option><option>Larch</option></select><label for=q>Pieces</label><input id=q><select><option>Dry</option><option>Wet</option></select>'), '# Skiff | Wood: Oak, Larch | Dry, Wet | P | '],
    ['are radio buttons that share a name, in no set', page('<p>Colour: Red</p><ul><li><label><input type=radio name=c value=1 checked><span>Red</span></label></li><li><label><input type=radio name=c value=2><span>Blue</span></label></li></ul><p>Note: we varnish</p><div><label><input type=radio name=d>Dry</label><label><input type=radio name=d>Wet</label></div>'), '# Skiff | Colour: Red, Blue | Note: we varnish | Dry, Wet | P | '],
    ['are a list of buttons below the name and the one that is chosen', page('<div><b>Colour:</b> <span>Red</span></div><ul><li><button type=button>Red</button></li><li><button type=button>Blue</button></li></ul><p>Share</p><ul><li><button type=button>Mail</button></li><li><button type=button>Post</button></li></ul>'), '# Skiff | Colour: Red, Blue | P | '],
    ['are radio buttons and options that scripts draw', page('<div role=radiogroup aria-label=Length><div role=radio aria-label="4 m">4</div><div role=radio>5 m</div></div><div role=listbox aria-label=Wood><div role=option>Oak</div><div role=option>Larch</div></div>'), '# Skiff | Length: 4 m, 5 m | Wood: Oak, Larch | P | '],
    ['are the options of a list, unless that says much more', `<form><main><h1>Skiff</h1>${prose}<ul role=listbox aria-label=Wood><li role=option>Oak</li><li role=option>Larch</li></ul><div role=listbox aria-label=Yards><div><b role=option>Ghent</b><p>Open from May to September, and in winter by appointment.</p></div><div><b role=option>Arnis</b></div></div>${buy}</main></form>`, '# Skiff | P | Wood: Oak, Larch | **Ghent** | Open from May to September, and in winter by appointment. | **Arnis** | '],
  ])('%s', (_, body, expected) => {
    expect(markdownOf(body)).toBe(expected)
  })

  it('are left out on pages that are not about a product', () => {
    expect(markdownOf(page(select), '')).toBe('# Skiff | P | ')
  })

  it('are left out when the caller excludes their form', () => {
    expect(markdownOf(page(select), data, { ...readDefaults, excludeTags: ['form'] })).toBe('# Skiff | P | ')
  })
})
