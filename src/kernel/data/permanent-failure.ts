// Thrown by a job that must not be tried again: it becomes a dead letter at once (GET /admin/jobs).

export class PermanentFailure extends Error {}
