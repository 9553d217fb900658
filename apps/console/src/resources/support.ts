// What stands behind the ticket desk: teams, and replies that are kept ready.
import * as api from '@titular/sdk'
import { type Field, type Item, itemsOf, type Declaration, textOf } from './resource.ts'

const DEFAULTS = ['PLG', 'ENV', 'SVC', 'ORD', 'AFL', 'EDU', 'invoice', 'order', 'none']
export const COMPANIES = ['entity_br', 'entity_global']

const memberIds = ({ members }: Item): readonly unknown[] => itemsOf(members).map(({ user_id }) => user_id)
const memberNames = ({ members }: Item): readonly unknown[] => itemsOf(members).map(({ name }) => name)

const ofTeam: readonly Field[] = [
  { field: 'name', isRequired: true, first: ({ name }) => name },
  {
    field: 'member_ids',
    as: 'number',
    several: true,
    chooses: {
      list: api.adminListTeamAssignees,
      labelOf: ({ name }) => textOf(name),
      idOf: ({ user_id }) => user_id,
    },
    first: memberIds,
  },
  { field: 'default_for', several: true, chooses: { values: DEFAULTS }, first: (record) => record['default_for'] },
]

export const teams: Declaration = {
  all: {
    list: api.adminListTeams,
    get: api.adminGetTeam,
    creates: { name: 'createTeam', operation: api.adminCreateTeam, form: ofTeam },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'members', of: memberNames },
    { field: 'default_for', as: 'value' },
    { field: 'updated_at', as: 'time' },
  ],
  actions: [
    { name: 'updateTeam', operation: api.adminUpdateTeam, form: ofTeam },
    { name: 'deleteTeam', operation: api.adminDeleteTeam, isDangerous: true },
  ],
}

const ofReply: readonly Field[] = [
  { field: 'name', isRequired: true, first: ({ name }) => name },
  { field: 'company', chooses: { values: COMPANIES }, first: ({ company }) => company, clears: true },
  { field: 'body_pt_br', as: 'long', isRequired: true, first: (record) => record['body_pt_br'] },
  { field: 'body_en', as: 'long', isRequired: true, first: (record) => record['body_en'] },
]

export const cannedReplies: Declaration = {
  all: {
    list: api.adminListCannedReplies,
    get: api.adminGetCannedReply,
    creates: { name: 'createCannedReply', operation: api.adminCreateCannedReply, form: ofReply },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [{ field: 'name' }, { field: 'company', as: 'value' }, { field: 'updated_at', as: 'time' }],
  details: [{ field: 'body_pt_br' }, { field: 'body_en' }],
  searches: true,
  actions: [
    { name: 'updateCannedReply', operation: api.adminUpdateCannedReply, form: ofReply },
    { name: 'deleteCannedReply', operation: api.adminDeleteCannedReply, isDangerous: true },
  ],
}
