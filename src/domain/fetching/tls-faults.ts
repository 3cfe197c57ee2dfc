/** Why there was no encrypted connection to a site, whatever its certificate is worth. */
export const tlsFaults = {
  handshake: 'The site and this service found no way to encrypt the connection: it refused the TLS handshake, wants an old version of TLS, or does not speak TLS on this port.',
  visitorCertificate: 'The site wants a TLS certificate of its visitors, which this service has none of.',
} as const // `const`: these texts and no others
