// A key with its self-signed certificate, in one file that only its owner can read, generated on first use.
import { X509Certificate, generateKeyPair, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import forge from 'node-forge'

export type KeyPair = { keyPem: string; certificatePem: string; validFrom: Date; validTo: Date }

/** Reads or generates it, once per process. */
export function keyPairFile(path: string, commonName: string): () => Promise<KeyPair> {
  let made: Promise<KeyPair> | null = null
  return () => {
    made ??= readOrMake(path, commonName).catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

async function readOrMake(path: string, commonName: string): Promise<KeyPair> {
  const known = await read(path)
  if (known) return known
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${randomUUID()}.tmp`
  const { keyPem, certificatePem } = await newKeyPair(commonName)
  await writeFile(unfinished, keyPem + certificatePem, { flush: true, mode: 0o600 })
  // A hard link does not replace the file of another process that came first.
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(unfinished, { force: true })
  const pair = await read(path)
  if (!pair) throw new Error(`${path} could not be kept`)
  return pair
}

async function read(path: string): Promise<KeyPair | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const at = text.indexOf('-----BEGIN CERTIFICATE-----')
  const [keyPem, certificatePem] = [text.slice(0, at), text.slice(at)]
  const { validFromDate: validFrom, validToDate: validTo } = new X509Certificate(certificatePem)
  return { keyPem, certificatePem, validFrom, validTo }
}

async function newKeyPair(commonName: string): Promise<{ keyPem: string; certificatePem: string }> {
  const { privateKey: keyPem } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const key = forge.pki.privateKeyFromPem(keyPem)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e)
  certificate.serialNumber = `01${randomUUID().replaceAll('-', '')}`
  // Wide enough for the clocks that tests set.
  certificate.validity.notBefore = new Date('2020-01-01T00:00:00Z')
  certificate.validity.notAfter = new Date('2120-01-01T00:00:00Z')
  const name = [{ name: 'commonName', value: commonName }]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.sign(key, forge.md.sha256.create())
  return { keyPem, certificatePem: forge.pki.certificateToPem(certificate).replaceAll('\r', '') }
}
