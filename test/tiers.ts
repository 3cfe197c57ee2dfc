/** The tiers of the browser that suites run for: by `npm test` the one that nearly all pages meet, by `npm run torture` the other. */
export const tiers: readonly ('basic' | 'enhanced')[] = [process.env['TRAWL_TEST_TIER'] === 'enhanced' ? 'enhanced' : 'basic']
