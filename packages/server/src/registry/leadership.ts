/** Which of the servers, processes and threads on one store maintains its objects: runs controllers, creates defaults. */
export interface Leadership {
  /** False for one that only serves requests. */
  readonly canLead: boolean;
  readonly isLeader: boolean;
  /** The listener is called when this one becomes the leader. */
  onLead(listener: () => void): void;
}

/** The only one on its store. */
export const ALWAYS: Leadership = { canLead: true, isLeader: true, onLead: () => {} };

/** One that leaves the objects to another. */
export const NEVER: Leadership = { canLead: false, isLeader: false, onLead: () => {} };
