-- A link that is removed gives its issue free by a statement of its own: on a cluster, no foreign key reaches from the coordinator
-- to the tables of organizations, so that none can do it.
grant delete on issue_references to titular_app;
alter table issue_references
  drop constraint issue_references_organization_id_ticket_issue_id_fkey,
  add constraint issue_references_organization_id_ticket_issue_id_fkey
    foreign key (organization_id, ticket_issue_id) references ticket_issues (organization_id, id);
