// The mails about changes of how an account is signed in to, in English.

import type { MailTexts, SecurityNotice } from './content.ts'

type Words = { subject: (brand: string) => string; heading: string; text: string; advice?: string }

const NOTICES: Record<SecurityNotice, Words> = {
  mfa_enabled: {
    subject: (brand) => `Your ${brand} account now asks for a second factor`,
    heading: 'The second factor is on',
    text:
      'Signing in with the password now also asks for a code of your authenticator app. Keep the recovery ' +
      'codes in a safe place: each lets you in once if you lose the app.',
  },
  mfa_disabled: {
    subject: (brand) => `Your ${brand} account no longer asks for a second factor`,
    heading: 'The second factor is off',
    text: 'The authenticator app and the recovery codes of the account no longer count. The password alone signs in.',
  },
  recovery_codes_renewed: {
    subject: (brand) => `New recovery codes for your ${brand} account`,
    heading: 'There are new recovery codes',
    text: 'The former recovery codes of the account no longer count.',
  },
  recovery_code_used: {
    subject: (brand) => `A recovery code of your ${brand} account was used`,
    heading: 'A recovery code was used',
    text:
      'Somebody with your password signed in with a recovery code instead of a code of the authenticator app. ' +
      'The code does not work again.',
  },
  passkey_added: {
    subject: (brand) => `A passkey was added to your ${brand} account`,
    heading: 'There is a new passkey',
    text: 'Somebody with your password registered a passkey for the account. It signs in without the password.',
    advice:
      'If it was not you, reset your password at once, then sign in and remove the passkey (a new password ' +
      'does not), and contact us.',
  },
  erasure_requested: {
    subject: (brand) => `Your ${brand} account will be erased`,
    heading: 'The account will be erased',
    text:
      'It was asked that the account and what it says of you be erased. Until then you can sign in and cancel ' +
      'it; afterwards nobody can undo it.',
    advice: 'If it was not you, sign in, cancel it and change your password, then contact us.',
  },
  passkey_removed: {
    subject: (brand) => `A passkey was removed from your ${brand} account`,
    heading: 'A passkey was removed',
    text: 'The passkey no longer signs in to the account, and the sessions that it opened have ended.',
  },
  sso_linked: {
    subject: (brand) => `Single sign-on is linked to your ${brand} account`,
    heading: 'Single sign-on is linked',
    text:
      'You signed in by the identity provider of your organization for the first time. From now on it opens ' +
      'your account, too.',
    advice: 'If it was not you, speak with those who look after sign-ins in your organization, and contact us.',
  },
}

export const securityMailsInEnglish: Pick<MailTexts['kinds'], 'security-notice' | 'new-sign-in'> = {
  'new-sign-in': ({ name, device, ip, at, expiresAt }, { brand, time }) => ({
    subject: `New sign-in to your ${brand} account`,
    preheader: 'From a device that we have not seen before.',
    heading: 'Was this you?',
    paragraphs: [
      `Hello, ${name}. Somebody signed in to your account from a device that we have not seen before.`,
      'If it was you, there is nothing to do. If not, sign everybody out with the button, and then choose a ' +
        'new password.',
    ],
    facts: [
      { label: 'When', value: time(at) },
      ...(device === null ? [] : [{ label: 'Device', value: device }]),
      ...(ip === null ? [] : [{ label: 'Network address', value: ip }]),
    ],
    button: 'It was not me',
    notes: [`The link works until ${time(expiresAt)}.`],
  }),
  'security-notice': ({ name, notice, at }, { brand, time }) => ({
    subject: NOTICES[notice].subject(brand),
    preheader: 'A notice for your safety.',
    heading: NOTICES[notice].heading,
    paragraphs: [`Hello, ${name}. ${NOTICES[notice].text}`],
    facts: [{ label: 'When', value: time(at) }],
    button: null,
    notes: [NOTICES[notice].advice ?? 'If it was not you, reset your password at once and contact us.'],
  }),
}
