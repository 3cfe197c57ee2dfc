/** A name that a header may have (RFC 9110 §5.6.2). */
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** A value that a header may have (RFC 9110 §5.5): one line, as line ends would end the header; beyond Latin-1 there is no agreed encoding. */
export const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
