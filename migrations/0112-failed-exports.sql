-- An export whose file cannot be written ends as failed, so that another one can be asked for.
alter table person_exports
  drop constraint person_exports_status_check,
  drop constraint person_exports_check1,
  add check (status in ('queued', 'ready', 'expired', 'failed')),
  add check ((ready_at is null) = (status in ('queued', 'failed')));
alter table organization_exports
  drop constraint organization_exports_status_check,
  drop constraint organization_exports_check1,
  add check (status in ('queued', 'ready', 'expired', 'failed')),
  add check ((ready_at is null) = (status in ('queued', 'failed')));
