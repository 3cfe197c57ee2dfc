/** How a scrape reads a page whose caller says nothing about it; written out, since some scripts read by other builds. */
export const readDefaults = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true }
