// Sealed texts: opened with the same key and purpose only.
import { describe, expect, it } from 'vitest'
import { seal, unseal } from './sealed.ts'

describe('a sealed text', () => {
  it('opens with its key and purpose, and looks different each time', async () => {
    const [one, other] = [await seal('key', 'a', 'segredo 🔑'), await seal('key', 'a', 'segredo 🔑')]
    expect(one).not.toBe(other)
    expect(Buffer.from(one.split('.')[3] ?? '', 'base64url').toString()).not.toContain('segredo')
    expect([await unseal('key', 'a', one), await unseal('key', 'a', other)]).toEqual(['segredo 🔑', 'segredo 🔑'])
  })
  it('does not open with another key or purpose, nor when it was changed', async () => {
    const sealed = await seal('key', 'a', 'segredo')
    const parts = sealed.split('.')
    const changed = [...parts.slice(0, 3), Buffer.from('anything').toString('base64url'), parts[4]].join('.')
    await expect(unseal('other', 'a', sealed)).rejects.toThrow('decryption operation failed')
    await expect(unseal('key', 'b', sealed)).rejects.toThrow('decryption operation failed')
    await expect(unseal('key', 'a', changed)).rejects.toThrow('decryption operation failed')
  })
})
