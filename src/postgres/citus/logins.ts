// The logins of an installation that is distributed: what a transaction sets, the nodes are told.
import type { Login, Logins } from '#kernel/database/database.ts'
import { APP, SYSTEM, TELLS_NODES } from '../roles.ts'

/** A role that has a login of its own has the setting itself. */
export const onCluster = <Given extends Logins>(logins: Given) => ({
  ...logins,
  isDistributed: true,
  [APP]: withNodesTold(logins[APP]),
  [SYSTEM]: withNodesTold(logins[SYSTEM]),
})

const withNodesTold = ({ options, ...login }: Login): Login =>
  options === undefined ? login : { ...login, options: `${options} -c ${TELLS_NODES}=local` }
