import { describe, expect, it } from 'vitest'
import type { Box, Look } from '../../domain/pages/look.ts'
import { brandingOf } from './index.ts'
import { fontStack } from './font-stack.ts'

const empty: Look = {
  painted: [], text: [], links: [], named: [], families: [], weights: [], body: null, headings: { h1: null, h2: null, h3: null }, paragraph: null, small: null, code: null, buttons: [], input: null,
  lengths: [], radii: [], margins: { heading: '', paragraph: '', section: '' }, sectionPadding: '', grid: null, maxWidth: '', headerHeight: 0, footerHeight: 0,
  icons: { outline: 0, filled: 0, colors: [] }, transitions: [], logo: null, dark: false,
}

const box = (more: Partial<Box>): Box => ({ background: '', color: '#ffffff', border: '', corners: ['4px', '4px', '4px', '4px'], shadow: '', padding: '8px', area: 4_000, top: 100, ...more })

describe('the look of a page', () => {
  it('is empty if nothing was measured', () => {
    expect(brandingOf(empty, {})).toEqual({})
  })

  it('has text colours that are readable on the background, weighted by the amount of text', () => {
    const { colors } = brandingOf({ ...empty, painted: [['#ffffff', 900], ['#eeeeee', 100]], text: [['#fafafa', 900], ['#111111', 500], ['#777777', 90], ['#222222', 80]] }, {})
    expect(colors).toEqual({ background: '#ffffff', textPrimary: '#111111', textSecondary: '#777777' })
  })

  it('takes the most prominent button as primary, and another one as secondary', () => {
    const buttons = [box({ background: '#f0f0f0', color: '#222222' }), box({ background: '#c2185b', top: 500 }), box({ border: '#c2185b', color: '#c2185b' }), box({ color: '#222222' })]
    const { components, colors } = brandingOf({ ...empty, painted: [['#ffffff', 900]], buttons }, {})
    expect([components?.buttonPrimary?.background, components?.buttonSecondary?.background ?? components?.buttonSecondary?.borderColor, colors?.primary]).toEqual(['#c2185b', '#f0f0f0', '#c2185b'])
  })

  it('distinguishes corners that differ', () => {
    const { components } = brandingOf({ ...empty, painted: [['#ffffff', 900]], buttons: [box({ background: '#000000', corners: ['8px', '8px', '0px', '0px'] })] }, {})
    expect(components?.buttonPrimary).toEqual({ background: '#000000', textColor: '#ffffff', borderRadiusCorners: { topLeft: '8px', topRight: '8px', bottomRight: '0px', bottomLeft: '0px' } })
  })

  it('has paddings and margins as pixels of each side that differs, without what is no length', () => {
    const spacing = (padding: string, heading = '', paragraph = '') => brandingOf({ ...empty, sectionPadding: padding, margins: { heading, paragraph, section: 'auto' } }, {}).spacing
    expect(spacing('16px', '20px', '0px 12.5px')).toEqual({ padding: { section: 16 }, margins: { heading: 20, paragraphTop: 0, paragraphBottom: 12.5 } })
    expect(spacing('32px 0px')?.padding).toEqual({ sectionVertical: 32, sectionHorizontal: 0 })
    expect(spacing('8px 4px 2px')?.padding).toEqual({ sectionTop: 8, sectionRight: 4, sectionBottom: 2, sectionLeft: 4 })
    expect([spacing('0px', '0px 0px'), spacing('calc(1px + 2%)')]).toEqual([undefined, undefined])
  })

  it('omits the unit if lengths share none, and the icon style if icons are mixed', () => {
    const lengths = [7, 11, 13, 17, 19, 23, 8, 10].map((pixels) => [pixels, 2] as const)
    expect(brandingOf({ ...empty, lengths, icons: { outline: 3, filled: 3, colors: [['#123456', 6]] } }, {})).toEqual({ icons: { primaryColor: '#123456' } })
  })

  it.each([
    ['"Segoe UI", Inter , sans-serif', ['Segoe UI', 'Inter', 'sans-serif']],
    ["'A, B', serif", ['A, B', 'serif']],
    ['', []],
  ])('parses the font families of %j', (families, stack) => {
    expect(fontStack(families)).toEqual(stack)
  })
})
