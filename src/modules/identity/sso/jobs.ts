// What follows changes of connections and of proven domains, and the removal of sign-ins that nobody finished.
import { signInChallenges } from '#modules/identity/auth/second-factors/second-factors.ts'
import { sessions } from '#modules/identity/auth/sessions/sessions.ts'
import { organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { endConnection, propagateProof, removeOver } from './job-kinds.ts'
import { requireDomains } from './required-domains.ts'
import { identities, signIns } from './sign-ins.ts'

export const ssoJobs = [
  systemJob(endConnection, {
    run: async (ctx, { payload: { connection_id: id } }) => {
      // First what may still become a session: whoever is answering just now is waited for.
      await ctx.ask(signInChallenges.removeAllOfConnection(id))
      await ctx.ask(sessions.endAllOfConnection(id, ctx.now))
      // Once more: a device may have signed in by one of them while the statement above waited for it.
      await ctx.ask(sessions.endAllOfConnection(id, ctx.now))
      await ctx.ask(identities.removeOfConnection(id))
    },
  }),
  organizationJob(propagateProof, { run: (ctx) => requireDomains(ctx) }),
  systemJob(removeOver, {
    everySeconds: 3600,
    run: async (ctx) => void (await ctx.ask(signIns.removeOver(ctx.now))),
  }),
]
