import { z } from 'zod'

const color = z.string().describe('`#rrggbb`.').optional()
const size = z.string().optional()
const pixels = z.record(z.string(), z.number()).optional().describe('Pixels by what they belong to: `button` where all sides are equal, else `buttonVertical` and `buttonHorizontal`, or each side (`buttonTop`).')
const corners = z.strictObject({ topLeft: z.string(), topRight: z.string(), bottomRight: z.string(), bottomLeft: z.string() }).optional()
const button = z
  .strictObject({ background: color, textColor: color, borderColor: color, borderRadius: size, borderRadiusCorners: corners, shadow: size })
  .optional()
const weight = z.int().min(1).max(1_000).optional()
const line = z.number().min(0).max(100).optional()
const stack = z.array(z.string()).optional()

/** What a page looks like; what cannot be told is absent. */
export const Branding = z
  .strictObject({
    colorScheme: z.enum(['light', 'dark']).optional(),
    brandName: z.string().optional(),
    logo: z.string().optional(),
    colors: z.strictObject({ primary: color, secondary: color, accent: color, background: color, textPrimary: color, textSecondary: color, link: color, success: color, warning: color, error: color }).optional(),
    fonts: z.array(z.strictObject({ family: z.string() })).optional().describe('Ordered by use, the most used first.'),
    typography: z
      .strictObject({
        fontFamilies: z.strictObject({ primary: z.string().optional(), heading: z.string().optional(), code: z.string().optional() }).optional(),
        fontStacks: z.strictObject({ primary: stack, heading: stack, body: stack, paragraph: stack }).optional(),
        fontSizes: z.strictObject({ h1: size, h2: size, h3: size, body: size, small: size }).optional(),
        fontWeights: z.strictObject({ light: weight, regular: weight, medium: weight, bold: weight, h1: weight, h2: weight, body: weight }).optional(),
        lineHeights: z.strictObject({ heading: line, body: line }).optional(),
      })
      .optional(),
    spacing: z.strictObject({ baseUnit: z.number().optional(), borderRadius: size, gridGutter: z.number().optional(), padding: pixels, margins: pixels }).optional(),
    components: z
      .strictObject({
        buttonPrimary: button,
        buttonSecondary: button,
        input: z.strictObject({ background: color, textColor: color, borderColor: color, focusBorderColor: color, borderRadius: size, shadow: size }).optional(),
      })
      .optional(),
    icons: z.strictObject({ style: z.enum(['outline', 'filled']).optional(), primaryColor: color }).optional(),
    images: z.strictObject({ logo: size, logoHref: size, logoAlt: size, favicon: size, ogImage: size }).optional(),
    animations: z.strictObject({ transitionDuration: size, easing: size }).optional(),
    layout: z.strictObject({ grid: z.strictObject({ columns: z.int().min(1).max(1_000).optional(), maxWidth: size }).optional(), headerHeight: size, footerHeight: size }).optional(),
    tone: z.strictObject({ voice: z.string(), emojiUsage: z.enum(['none', 'minimal', 'moderate', 'heavy']).optional() }).optional().describe('Only with a language model.'),
    personality: z
      .strictObject({
        tone: z.enum(['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold']),
        energy: z.enum(['low', 'medium', 'high']),
        targetAudience: z.string().optional(),
      })
      .optional()
      .describe('Only with a language model.'),
  })
  .meta({ id: 'Branding' })
export type Branding = z.output<typeof Branding>
