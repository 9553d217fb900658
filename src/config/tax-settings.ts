// The settings of tax invoices in Brazil: rows of the table in settings.ts.
import { httpUrl, list, oneOf, optional, text } from './setting-readers.ts'

export const TAX_SETTINGS = {
  ENTITY_BR_TAX_AUTHORITY: {
    meaning:
      'Brazil: `nfse`, the national NFS-e, or `none`: tax invoices are issued elsewhere; the sandbox when unset there',
    fallback: '',
    read: optional(oneOf('nfse', 'none', 'sandbox')),
  },
  NFSE_BR_ENVIRONMENT: {
    meaning: '`production`, or `restricted`: the national system’s own test environment, without legal force',
    fallback: 'production',
    read: oneOf('production', 'restricted'),
  },
  NFSE_BR_URL: {
    meaning: 'Address of the system (https outside the loopback); the national one of NFSE_BR_ENVIRONMENT when unset',
    read: httpUrl,
  },
  NFSE_BR_PATHS: {
    meaning:
      'Paths of a municipality that differ from the national ones, by comma: `issue=/nfse`, `declaration=/dps/{id}`, …',
    fallback: '',
    read: list,
  },
  NFSE_BR_CERTIFICATE: {
    meaning: 'Path of the e-CNPJ certificate (A1), a PKCS#12 file; signs and opens the connection',
    read: text,
  },
  NFSE_BR_CERTIFICATE_PASSWORD: { meaning: 'Its password', read: text, secret: true },
  NFSE_BR_CA: {
    meaning: 'Path of the certificates (PEM) that vouch for the system, where they are not among the usual ones',
    read: text,
  },
  NFSE_BR_PROFILES: {
    meaning: 'Path of the fiscal profiles (docs/tax-invoices.md), a JSON file; the sandbox has an example of its own',
    read: text,
  },
  NFSE_BR_SIGNATURE: {
    meaning: 'Signature of the documents: `sha256`, or `sha1` where a municipality knows only that',
    fallback: 'sha256',
    read: oneOf('sha256', 'sha1'),
  },
}
