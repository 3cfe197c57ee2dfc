/** The browser tiers that suites run for: `npm test` uses the one that most pages need, `npm run torture` the other. */
export const tiers: readonly ('basic' | 'enhanced')[] = [process.env['TRAWL_TEST_TIER'] === 'enhanced' ? 'enhanced' : 'basic']
