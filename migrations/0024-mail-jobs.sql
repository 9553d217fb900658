-- Mails on events have one job that finds the recipients and one that sends (docs/decisions/0036). Jobs that wait go on as these.

update jobs set kind = 'notifications/announce'
 where kind ~ '^[a-z-]+/announce-[a-z-]+$' or kind = 'invites/accepted-mail';

update jobs set kind = 'notifications/mail',
    payload = jsonb_build_object(
      'mail', case kind
        when 'invites/mail' then 'invite'
        when 'services/mail-delivery' then 'service-delivered'
        when 'tax-invoices/mail-issued' then 'tax-invoice-issued'
        when 'entitlements/mail-expiring' then 'entitlement-expiring'
        when 'licenses/mail-expiring' then 'license-expiring'
        else regexp_replace(kind, '^[a-z-]+/mail-', '') end,
      'resource_id', coalesce(payload -> 'id', payload -> 'quote_id', payload -> 'contract_id', payload -> 'window_id',
                              payload -> 'service_id', payload -> 'tax_invoice_id', payload -> 'collaborator_id'),
      'user_id', coalesce(payload -> 'user_id', 'null'))
 where kind = 'invites/mail' or kind ~ '^(quotes|tickets|contracts|environments|services|tax-invoices|invoices|refunds|entitlements|licenses)/mail-';

update jobs set kind = 'hooks/call' where kind = 'hook';

-- The job of a paid quote names the event that it comes from.
update jobs j set payload = j.payload || jsonb_build_object('event_id', e.id)
  from (select organization_id, resource_id, max(id) as id from events where type = 'titular/quote/paid' group by 1, 2) e
 where j.kind = 'quotes/provision' and not j.payload ? 'event_id'
   and e.organization_id = j.organization_id and e.resource_id = (j.payload ->> 'resource_id')::bigint;
