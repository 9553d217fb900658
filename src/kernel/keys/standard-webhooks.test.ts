// Against the vector of the specification, and what must not pass.
import { describe, expect, it } from 'vitest'
import { standardHeaders, standardKey, verifiedId } from './standard-webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const body = '{"test": 2432232314}'
const now = new Date(1_614_265_330_000)
const headers = standardHeaders(secret, id, body, now)

describe('Standard Webhooks', () => {
  it('signs as the vector of the specification', () => {
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })
  it('verifies with any of the live secrets and any of the signatures', () => {
    const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    expect(verifiedId([other, secret], headers, Buffer.from(body), now)).toBe(id)
    const several = { ...headers, 'webhook-signature': `v1a,x v1,AAAA ${headers['webhook-signature']}` }
    expect(verifiedId([secret], several, Buffer.from(body), now)).toBe(id)
    expect(verifiedId([other], headers, Buffer.from(body), now)).toBeNull()
  })
  it('refuses other bytes, another id, another time, no header, an old or future one', () => {
    const check = (more: object, text = body, at = now) =>
      verifiedId([secret], { ...headers, ...more }, Buffer.from(text), at)
    expect(check({}, `${body} `)).toBeNull()
    expect(check({ 'webhook-id': 'msg_other' })).toBeNull()
    expect(check({ 'webhook-timestamp': '1614265331' })).toBeNull()
    expect(check({ 'webhook-signature': undefined })).toBeNull()
    expect(check({ 'webhook-signature': '' })).toBeNull()
    expect(check({ 'webhook-id': [id, id] })).toBeNull()
    expect(check({}, body, new Date(now.getTime() + 301_000))).toBeNull()
    expect(check({}, body, new Date(now.getTime() - 301_000))).toBeNull()
    expect(check({}, body, new Date(now.getTime() + 299_000))).toBe(id)
    expect(verifiedId([], headers, Buffer.from(body), now)).toBeNull()
  })
  it('knows a secret when it sees one', () => {
    expect(standardKey('whsec_short')).toBeNull()
    expect(standardKey('whsec_!')).toBeNull()
    expect(standardKey(secret)).toHaveLength(24)
  })
})
