// Who gets the mails of an open quote: the members with the scope, and people who have no account yet.
import { type Audience, type AudienceContext, membersWith } from '#modules/messages/notifications/recipients.ts'
import { isBrazil } from '#kernel/values/company.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import { sql } from '#kernel/values/sql.ts'
import { hiddenScopesIn } from '#ports/settings-in-force.ts'

/** Addresses without an account that get its mails. */
const addresses = ({ organizationId: org, settings }: AudienceContext, id: number, now: Date) => sql<{
  email: string
  country: string | null
}>`
  select distinct on (lower(a.email)) a.email, o.country
    from (select unnest(q.recipients) as email from quotes q where q.organization_id = ${org} and q.id = ${id}
          union all
          select c.email from collaborators c
           where c.organization_id = ${org} and c.invite_status = 'pending' and c.user_id is null
             and c.invite_expires_at > ${now} and (c.invited_role = 'owner' or 'quotes' = any(c.granted_scopes))
             and 'quotes' <> all(coalesce((select hidden_scopes from organizations where organization_id = ${org}
               and id = ${org}), ${hiddenScopesIn(settings)}))) a
    join (select country from organizations where organization_id = ${org} and id = ${org}) o on true
   where a.email is not null and not exists (
     select 1 from collaborators c join users u on u.id = c.user_id and lower(u.email) = lower(a.email)
      where c.organization_id = ${org} and 'quotes' = any(c.granted_scopes))
   order by lower(a.email)`

/** Also those whom staff named, and whoever is invited and will have the scope: they have no account yet. */
const members = membersWith('quotes')
const asRecipient = ({ email, country }: { email: string; country: string | null }) => ({
  user_id: null,
  email,
  language: isBrazil(country ?? '') ? 'pt-BR' : 'en',
})
export const prospects: Audience<{ id: number }> = {
  needs: members.needs,
  find: async (context, facts) => {
    const found = await context.ask(addresses(context, facts.id, fromNow(context, 0)))
    return [...(await members.find(context, facts)), ...found.map(asRecipient)]
  },
}
