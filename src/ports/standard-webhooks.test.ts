// Against the vector of the specification, and what must not pass.
import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  standardHeaders,
  standardKey,
  standardPrivateKey,
  standardPublicKey,
  standardSecret,
  verifiedId,
} from './standard-webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const body = '{"test": 2432232314}'
const now = new Date(1_614_265_330_000)
const headers = standardHeaders([secret], id, body, now)

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
  it('signs with each of two secrets, as the published library verifies', () => {
    const [made, other] = [standardSecret(Buffer.alloc(32, 1)), standardSecret(Buffer.alloc(32, 2))]
    const fresh = new Date()
    const both = standardHeaders([made, other], id, body, fresh)
    for (const one of [made, other]) expect(new Webhook(one).verify(body, both)).toEqual({ test: 2432232314 })
    expect(() => new Webhook(secret).verify(body, both)).toThrow('No matching signature found')
    expect(() => new Webhook(made).verify(`${body} `, both)).toThrow('No matching signature found')
  })
  it('signs with an Ed25519 key, as its public half verifies', () => {
    // The first vector of RFC 8032, section 7.1.
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const key = standardPrivateKey(seed)
    const x = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex')
    expect(standardPublicKey(key)).toBe(`whpk_${x.toString('base64')}`)
    const signed = standardHeaders([key], id, body, now)['webhook-signature']
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') },
      format: 'jwk',
    })
    const made = Buffer.from(signed.replace(/^v1a,/, ''), 'base64')
    expect(verify(null, Buffer.from(`${id}.1614265330.${body}`), publicKey, made)).toBe(true)
    expect(verify(null, Buffer.from(`${id}.1614265331.${body}`), publicKey, made)).toBe(false)
    expect(() => standardPublicKey('whsk_AAAA')).toThrow('not a key')
  })
  it('knows a secret when it sees one', () => {
    expect(standardKey('whsec_short')).toBeNull()
    expect(standardKey('whsec_!')).toBeNull()
    expect(standardKey(secret)).toHaveLength(24)
  })
})
