// Records what a person agrees to, and lists the purposes of processing.
import { one, type SystemContext } from '#kernel/data/context.ts'
import { PURPOSE_TEXTS } from '#texts/privacy.ts'
import { type Consent, LEGAL_BASES, type NewConsent, type Purpose, PURPOSES } from './consent.ts'
import { consents } from './queries.ts'

export const recordConsent = (ctx: SystemContext, body: NewConsent, isPortal: boolean): Promise<Consent> =>
  one(
    ctx,
    consents.add(body, {
      userId: ctx.caller.userId ?? 0,
      at: ctx.now,
      source: isPortal ? 'portal' : 'api',
      ip: ctx.ip,
    }),
  )

export const listedPurposes = (): Purpose[] =>
  PURPOSES.map(({ purpose, legal_basis }) => ({
    purpose,
    legal_basis,
    law: LEGAL_BASES[legal_basis],
    description: PURPOSE_TEXTS[purpose],
  }))
