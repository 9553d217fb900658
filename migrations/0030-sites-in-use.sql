-- Domains that are active and addresses of environments from before there were sites: the jobs that follow them from now
-- on find them too.

with last as (select organization_id, resource, resource_id, max(id) as event_id from events
               where resource in ('license', 'environment') group by 1, 2, 3),
in_use as (
  select organization_id, 'license' as resource, id from licenses
   where status <> 'revoked' and (activated_domains <> '{}' or staging_domains <> '{}')
  union all
  select organization_id, 'environment', id from environments where status <> 'decommissioned' and url is not null)
insert into jobs (organization_id, kind, key, payload)
select u.organization_id, 'sites/follow-' || u.resource,
       concat_ws(':', 'sites/follow-' || u.resource, u.resource, u.id, u.organization_id),
       jsonb_build_object('resource_id', u.id, 'event_id', coalesce(l.event_id, 1))
  from in_use u left join last l
    on l.organization_id = u.organization_id and l.resource = u.resource and l.resource_id = u.id;
