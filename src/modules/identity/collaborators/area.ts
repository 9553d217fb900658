// Collaborators and their invites (spec 4.2). An invite is a collaborator who has not answered yet, with paths of its
// own.
import { area } from '#http/manifest/area.ts'
import { collaboratorActions } from './actions.ts'
import { inviteAnnouncements, membershipExpiring } from './announcements.ts'
import { contains } from '#kernel/data/lists/search.ts'
import { sql } from '#kernel/values/sql.ts'
import { collaboratorsTable } from './collaborator.ts'
import { inviteJobs } from './invite-jobs.ts'
import { inviteRoutes } from './invite-routes.ts'
import { membershipEndJob } from './membership-end.ts'
import { namedRolesTable } from './named-role.ts'
import { namedRoleRoutes } from './named-role-routes.ts'
import { publishedCollaborators, publishedRoles } from './published.ts'
import { collaboratorRoutes } from './routes.ts'

export const collaboratorsArea = area({
  name: 'collaborators',
  description: 'The members of an organization, with their roles and scopes.',
  routes: collaboratorRoutes,
  actions: collaboratorActions,
  jobs: [membershipEndJob],
  announcements: [membershipExpiring],
  tables: [collaboratorsTable.name, namedRolesTable.name],
  published: [publishedCollaborators, publishedRoles],
  searchable: [
    {
      scope: 'organization',
      table: collaboratorsTable,
      label: sql`t.email`,
      isLast: true,
      // Names are in the table of users. No index is needed, because an organization has few collaborators.
      also: {
        matched: 'name',
        isExact: false,
        rows: (org, q) => sql`
          select t.id, u.name || ' ' || u.email as label from collaborators t join users u on u.id = t.user_id
           where t.organization_id = ${org} and (${contains('u.name', q)} or ${contains('u.email', q)})`,
      },
    },
  ],
})

export const invitesArea = area({
  name: 'invites',
  description: 'Invitations to join an organization.',
  routes: inviteRoutes,
  jobs: inviteJobs,
  announcements: inviteAnnouncements,
})

export const rolesArea = area({
  name: 'roles',
  description: 'Named roles: bundles of scopes for the members of an organization.',
  routes: namedRoleRoutes,
})
