import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isBrokenStandard, signatureHeaders, type Signing } from './sign.ts'

const body = Buffer.from('{"a":"ü"}')
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body, at: 1_614_265_330_999 }
const signing: Signing = { secret: 'hush', headers: ['X-Service-Signature', 'X-Firecrawl-Signature'], standard: false }
const mac = createHmac('sha256', 'hush').update(body).digest('hex')

describe('the signature of a delivery', () => {
  it('is the HMAC of the exact bytes, under each configured name', () => {
    expect(signatureHeaders(signing, message)).toEqual({ 'X-Service-Signature': `sha256=${mac}`, 'X-Firecrawl-Signature': `sha256=${mac}` })
    expect(signatureHeaders({ ...signing, headers: ['X-Mine'] }, message)).toEqual({ 'X-Mine': `sha256=${mac}` })
  })

  it('is absent without a secret', () => {
    expect(signatureHeaders({ ...signing, secret: null, standard: true }, message)).toEqual({})
  })

  it('is also sent in the headers of Standard Webhooks if configured, and matches their test vector', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const { 'X-Service-Signature': _, ...standard } = signatureHeaders({ secret, headers: ['X-Service-Signature'], standard: true }, { ...message, body: Buffer.from('{"test": 2432232314}') })
    expect(standard).toEqual({ 'Webhook-Id': message.id, 'Webhook-Timestamp': '1614265330', 'Webhook-Signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' })
  })

  it('for Standard Webhooks uses other secrets unchanged', () => {
    const expected = createHmac('sha256', 'hush').update(`${message.id}.1614265330.`).update(body).digest('base64')
    expect(signatureHeaders({ ...signing, standard: true }, message)['Webhook-Signature']).toBe(`v1,${expected}`)
  })

  it.each(['whsec_', 'whsec_%%%', 'whsec_A', 'whsec_not base64'])('never has the empty key, nor part of one, where the secret is not base64 as it says: %s', (secret) => {
    const expected = createHmac('sha256', secret).update(`${message.id}.1614265330.`).update(body).digest('base64')
    expect(signatureHeaders({ ...signing, secret, standard: true }, message)['Webhook-Signature']).toBe(`v1,${expected}`)
  })
})

describe('a secret of Standard Webhooks', () => {
  it.each(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_AAAAAA==', 'whsec_AAAAAA', 'hush', '%%%'])('is taken: %s', (secret) => expect(isBrokenStandard(secret)).toBe(false))
  it.each(['whsec_', 'whsec_%%%', 'whsec_A', 'whsec_AAAAA', 'whsec_a-b_c'])('is refused: %s', (secret) => expect(isBrokenStandard(secret)).toBe(true))
})
