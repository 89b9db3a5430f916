/** What a statement says, its parts still in words. */
export interface Frame {
  /** The act that is meant; begins with a verb where `isVerbPhrase`. */
  action: string;
  isVerbPhrase: boolean;
  /** The quantities in `action` are those that are allowed. */
  isLimit: boolean;
  /** Only under these circumstances is the act meant. */
  given: string[];
  /** Who or what does it, where that is not the agent. */
  about: string;
  /** Only after this. */
  after: string[];
  unless: string[];
  /** Without these it is forbidden. */
  need: string[];
  /** The act is allowed only so: places, hours, amounts of it. */
  onlySo: string[];
  /** What has to be done first; doing just that is no breach. */
  duty: string;
  /** The statement names no act to forbid, but what has to be done ("ask", "escalate"). */
  asks: boolean;
}

/** Reads one way of putting a rule; undefined where it is put otherwise. */
export type Reader = (text: string, frame: Frame) => Frame | undefined;

export const base = (frame: Frame, action: string, isVerbPhrase: boolean): Frame => ({
  ...frame,
  action: action.trim(),
  isVerbPhrase,
});

/** The first of the readers that understands the text. */
export const firstOf =
  (readers: readonly Reader[]): Reader =>
  (text, frame) => {
    for (const read of readers) {
      const found = read(text, frame);
      if (found !== undefined) return found;
    }
    return undefined;
  };

/** Who may be asked, and what may be done by them alone. */
export const roles = String.raw`(?:committees?|teams?|desks?|managers?|departments?|office|humans?|persons?|people|board|specialists?|supervisors?|officers?|leads?|legal|compliance|doctors?|physicians?|nurses?|pharmacists?|lawyers?|counsel|hr|finance|security|treasury|colleagues?|directors?|admins?|administrators?|owners?|clinicians?|registrar|dispatchers?|cfo|ceo|ciso|dpo|staff|employees?|engineers?|accountants?|analysts?|reviewers?|operators?|advisers?|advisors?|adjusters?|underwriters?|partners?|procurement|councils?|brokers?|attorneys?|vets?|teachers?|principals?|technicians?|surgeons?|therapists?|auditors?|controllers?|buyers?|planners?|coordinators?|consultants?|experts?|professionals?|someone|somebody)`;
