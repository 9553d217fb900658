// The mails in English.

import { roles } from '../roles.ts'
import type { MailTexts } from './content.ts'
import { arrearsMailsInEnglish } from './arrears-en.ts'
import { contactMailsInEnglish } from './contacts-en.ts'
import { deliveryMailsInEnglish } from './delivery-en.ts'
import { financeMailsInEnglish } from './finances-en.ts'
import { quoteRequestMailsInEnglish } from './quote-requests-en.ts'
import { securityMailsInEnglish } from './security-en.ts'
import { keyMailsInEnglish } from './keys-en.ts'
import { staffMailsInEnglish } from './staff-en.ts'
import { taxInvoiceMailsInEnglish } from './tax-invoices-en.ts'
import { ticketMailsInEnglish } from './tickets-en.ts'

const IGNORE = 'If you did not ask for this, you can ignore this message: nothing changes without the link.'

const CALL_US = 'If it was not you, contact us at once.'
const UNDO =
  'It gives this address back to the account, signs everybody out, ends the password and the API keys, and ' +
  'lets you set a new password.'

export const mailsInEnglish = {
  linkFallback: 'If the button does not work, copy this address into your browser:',
  footer: (brand) => `Sent automatically by ${brand}.`,
  support: 'Help and support',
  unsubscribe: 'No more e-mails of this kind',
  answerable: 'Answer this e-mail to comment on the ticket.',
  kinds: {
    ...ticketMailsInEnglish,
    ...arrearsMailsInEnglish,
    ...contactMailsInEnglish,
    ...deliveryMailsInEnglish,
    ...financeMailsInEnglish,
    ...taxInvoiceMailsInEnglish,
    ...quoteRequestMailsInEnglish,
    ...securityMailsInEnglish,
    ...keyMailsInEnglish,
    ...staffMailsInEnglish,
    'verify-account': ({ name, expiresAt }, { brand, time }) => ({
      subject: `Confirm your e-mail address for ${brand}`,
      preheader: 'One click and your account is ready.',
      heading: `Welcome, ${name}!`,
      paragraphs: [
        `Your ${brand} account has been created. Confirm that this e-mail address is yours to activate it.`,
        'Enter the password that you chose when you registered, and it stays. Without it you choose a new ' +
          'one on the same page.',
      ],
      facts: [],
      button: 'Confirm e-mail address',
      notes: [`The link works once, until ${time(expiresAt)}.`, IGNORE],
    }),
    'set-password': ({ expiresAt }, { brand, time }) => ({
      subject: `Finish setting up your ${brand} account`,
      preheader: 'Confirm your address and set a password.',
      heading: `Welcome to ${brand}!`,
      paragraphs: [
        'An account was opened for this e-mail address. Confirm the address, then set a password of your own.',
      ],
      facts: [],
      button: 'Finish setting up',
      notes: [`The link works once, until ${time(expiresAt)}.`, IGNORE],
    }),
    'reset-password': ({ name, expiresAt }, { brand, time }) => ({
      subject: `Reset your ${brand} password`,
      preheader: 'Set a new password with the link inside.',
      heading: 'Set a new password',
      paragraphs: [
        `Hello, ${name}. Somebody asked for a new password for your ${brand} account. If it was you, set it here.`,
      ],
      facts: [],
      button: 'Set a new password',
      notes: [`The link works once, until ${time(expiresAt)}. Afterwards you are signed out everywhere.`, IGNORE],
    }),
    'email-change': ({ name, newEmail, expiresAt }, { brand, time }) => ({
      subject: `Confirm your new e-mail address for ${brand}`,
      preheader: 'The change takes effect once you confirm it.',
      heading: 'Confirm your new e-mail address',
      paragraphs: [`Hello, ${name}. You asked to use ${newEmail} for your ${brand} account.`],
      facts: [{ label: 'New address', value: newEmail }],
      button: 'Confirm new address',
      notes: [`The link works once, until ${time(expiresAt)}. Until then the old address stays in use.`, IGNORE],
    }),
    'email-change-requested': ({ name, newEmail, expiresAt }, { brand, time }) => ({
      subject: `A new e-mail address was requested for your ${brand} account`,
      preheader: 'If it was not you, stop it.',
      heading: 'Is this new address yours?',
      paragraphs: [
        `Hello, ${name}. Your ${brand} account is to use another e-mail address. The change takes ` +
          'effect once it is confirmed there. If it was you, there is nothing to do.',
      ],
      facts: [{ label: 'New address', value: newEmail }],
      button: 'It was not me: keep my address',
      notes: expiresAt === null ? [CALL_US] : [UNDO, `The link works once, until ${time(expiresAt)} at least.`],
    }),
    'email-changed': ({ name, newEmail, expiresAt }, { brand, time }) => ({
      subject: `Your ${brand} e-mail address was changed`,
      preheader: 'If it was not you, undo it.',
      heading: 'Your e-mail address was changed',
      paragraphs: [
        `Hello, ${name}. Your ${brand} account now uses another e-mail address; this one no longer signs in.`,
      ],
      facts: [{ label: 'New address', value: newEmail }],
      button: 'It was not me: undo the change',
      notes: expiresAt === null ? [CALL_US] : [UNDO, `The link works once, until ${time(expiresAt)}.`],
    }),
    'password-changed': ({ name, changedAt }, { brand, time }) => ({
      subject: `Your ${brand} password was changed`,
      preheader: 'A notice for your safety.',
      heading: 'Your password was changed',
      paragraphs: [
        `Hello, ${name}. The password of your ${brand} account was changed, and every session was signed out.`,
      ],
      facts: [{ label: 'When', value: time(changedAt) }],
      button: null,
      notes: ['If it was not you, reset your password at once and contact us.'],
    }),
    invite: ({ organizationName, inviterName, role, expiresAt }, { brand, time }) => ({
      subject: `You are invited to ${organizationName} on ${brand}`,
      preheader: `Join ${organizationName} as ${roles.en[role].toLowerCase()}.`,
      heading: `Join ${organizationName}`,
      paragraphs: [
        inviterName === null
          ? `You are invited to work with ${organizationName} on ${brand}.`
          : `${inviterName} invites you to work with ${organizationName} on ${brand}.`,
      ],
      facts: [
        { label: 'Organization', value: organizationName },
        { label: 'Your role', value: roles.en[role] },
        { label: 'Valid until', value: time(expiresAt) },
      ],
      button: 'View invitation',
      notes: ['If you do not know this organization, you can ignore this message or decline the invitation.'],
    }),
    'invite-accepted': ({ organizationName, memberName, memberEmail }) => ({
      subject: `${memberName} joined ${organizationName}`,
      preheader: 'Your invitation was accepted.',
      heading: 'Invitation accepted',
      paragraphs: [`${memberName} accepted the invitation and is now part of ${organizationName}.`],
      facts: [{ label: 'E-mail', value: memberEmail }],
      button: 'View team',
      notes: [],
    }),
    'membership-expiring': ({ organizationName, memberName, endsAt }, { time }) => ({
      subject: `The access of ${memberName} to ${organizationName} ends soon`,
      preheader: 'It can be prolonged before.',
      heading: 'A membership ends soon',
      paragraphs: [`The membership of ${memberName} in ${organizationName} was given for a time, which is over soon.`],
      facts: [{ label: 'Ends', value: time(endsAt) }],
      button: 'View membership',
      notes: ['An owner or administrator of the organization can prolong it.'],
    }),
    'quote-sent': ({ organizationName, number, replaces, total, currency, validUntil }, { brand, date, money }) => ({
      subject: `Quote ${number} from ${brand}: ${money(total, currency)}`,
      preheader: validUntil === null ? `For ${organizationName}.` : `Valid until ${date(validUntil)}.`,
      heading: `Your quote ${number}`,
      paragraphs: [
        `${brand} has prepared a quote for ${organizationName}.`,
        ...(replaces === null ? [] : [`It replaces quote ${replaces}, which can no longer be accepted.`]),
      ],
      facts: [
        { label: 'Quote', value: number },
        { label: 'Total', value: money(total, currency) },
        ...(validUntil === null ? [] : [{ label: 'Valid until', value: date(validUntil) }]),
      ],
      button: 'View quote',
      notes: ['Nothing is charged before you accept the quote.'],
    }),
    'quote-expiring': ({ organizationName, number, total, currency, validUntil }, { date, money }) => ({
      subject: `Quote ${number} is valid until ${date(validUntil)}`,
      preheader: `Total: ${money(total, currency)}.`,
      heading: `Quote ${number} ends soon`,
      paragraphs: [`The quote for ${organizationName} has not been accepted yet. Afterwards it can no longer be.`],
      facts: [
        { label: 'Quote', value: number },
        { label: 'Total', value: money(total, currency) },
        { label: 'Valid until', value: date(validUntil) },
      ],
      button: 'View quote',
      notes: [],
    }),
    'quote-accepted': ({ organizationName, number, total, currency }, { money }) => ({
      subject: `Quote ${number} accepted`,
      preheader: `Thank you. Total: ${money(total, currency)}.`,
      heading: 'Thank you for your order',
      paragraphs: [`Quote ${number} was accepted for ${organizationName}. We start as soon as the payment arrives.`],
      facts: [
        { label: 'Quote', value: number },
        { label: 'Total', value: money(total, currency) },
      ],
      button: 'View order',
      notes: [],
    }),
    'payment-received': ({ organizationName, number, total, currency, paidAt }, { money, time }) => ({
      subject: `Payment received: ${number}`,
      preheader: `We received ${money(total, currency)}. Thank you.`,
      heading: 'Payment received',
      paragraphs: [`We received the payment from ${organizationName}. Thank you!`],
      facts: [
        { label: 'Reference', value: number },
        { label: 'Amount', value: money(total, currency) },
        { label: 'Paid', value: time(paidAt) },
      ],
      button: 'View details',
      notes: [],
    }),
    'quote-fulfilled': ({ organizationName, number, provisioned }) => ({
      subject: `Everything from quote ${number} is ready`,
      preheader: `Your purchases are ready to use: ${provisioned.length}.`,
      heading: 'Ready to use',
      paragraphs: [
        `What ${organizationName} bought with quote ${number} has been set up. Keep these codes for support:`,
      ],
      facts: provisioned.map(({ name, entitlementCode }) => ({ label: name, value: entitlementCode })),
      button: 'View purchases',
      notes: [],
    }),
  },
} satisfies MailTexts
