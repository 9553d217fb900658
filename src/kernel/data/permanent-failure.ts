// Thrown by a job that must not be tried again: it becomes a dead letter at once (GET /admin/parked).

export class PermanentFailure extends Error {}
