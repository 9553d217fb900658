// The pages behind mailed links whose scripts do the rest, by their addresses.
import type { Destination, PageContext } from './document.ts'
import { endSessionsPage } from './end-sessions.ts'
import { invitesPage } from './invites.ts'
import { resetPasswordPage } from './reset-password.ts'
import { ssoPage } from './sso.ts'
import { undoEmailChangePage } from './undo-email-change.ts'
import { verifyAccountPage } from './verify-account.ts'

export const PLAIN_PAGES: Readonly<Record<string, (context: PageContext, destination: Destination) => string>> = {
  '/verify-account': verifyAccountPage,
  '/reset-password': resetPasswordPage,
  '/undo-email-change': undoEmailChangePage,
  '/end-sessions': endSessionsPage,
  '/sso': ssoPage,
  '/invites': invitesPage,
}
