/** The default options of a scrape; written out, because some scripts use other builds. */
export const readDefaults = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true }
