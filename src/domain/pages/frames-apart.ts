const hosts = String.raw`(?:[^/?#]*\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|loom\.com|wistia\.(?:com|net)|vidyard\.com|bilibili\.com|ted\.com|streamable\.com|spotify\.com|soundcloud\.com|tiktok\.com|rumble\.com|odysee\.com|brightcove\.net|codepen\.io|jsfiddle\.net|codesandbox\.io|twitter\.com|x\.com|facebook\.com|instagram\.com|threads\.net|bsky\.app|linkedin\.com|pinterest\.com|reddit\.com|doubleclick\.net|googlesyndication\.com|adnxs\.com|amazon-adsystem\.com|taboola\.com|outbrain\.com|criteo\.(?:com|net)|googletagmanager\.com|recaptcha\.net|hcaptcha\.com|challenges\.cloudflare\.com|captcha-delivery\.com|arkoselabs\.com|funcaptcha\.com|geetest\.com|privacy-mgmt\.com|consensu\.org|trustarc\.com)(?=[:/?#]|$)`

/**
 * Frames of other origins that stay frames, by their addresses: players and posts, which the reading makes links of, maps,
 * advertisements, bot checks, consent dialogs, buttons to share.
 */
export const apartByAddress = String.raw`^https?://(?:${hosts}|[^?#]*(?:/recaptcha/|/maps/|adservice))`

/** The same by their names. */
export const apartByName = String.raw`(?:^|[\s_-])(?:google_ads|aswift|ads?|adverts?|captcha|sp_message|consent|cookies?)(?:[\s_-]|$)`
