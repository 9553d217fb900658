// Why requests are refused here, and in the modules above that refuse for the same reason.
export const supportReasons = {
  issue_linked: 'The ticket is linked to an issue already.',
  rating_ended:
    'A ticket can be rated, and the rating changed, for 14 days after the question. Comment on the ticket instead.',
  requester_only: 'Only whoever opened the ticket can rate it.',
  team_default_taken: 'Another team gets new tickets about this. Take it from that team first.',
  team_in_use: 'Tickets that have not ended are the team’s. Give them to another team, or to none, first.',
  tickets_not_open:
    'The vendor lets customers open no tickets about this. The message names what tickets can be opened about ' +
    'instead, such as an entitlement of another class, an invoice, or nothing in particular.',
} as const

declare module '#kernel/values/reasons.ts' {
  interface Reasons extends Record<keyof typeof supportReasons, string> {}
}
