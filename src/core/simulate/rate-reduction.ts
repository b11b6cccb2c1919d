/**
 * How much may be sent for each acknowledgement while losses are made good: proportional rate reduction (RFC 6937). Of its two bounds the
 * conservative one, but for acknowledgements that advance without telling of further losses, as Linux has it (tcp_cwnd_reduction).
 */
export class RateReduction {
  readonly #target: number;
  /** The window when the loss was seen. */
  readonly #before: number;
  #delivered = 0;
  #sent = 0;

  constructor(target: number, before: number) {
    this.#target = target;
    this.#before = Math.max(1, before);
  }

  /** So many segments arrived; `outstanding` are believed to be under way. @returns how many may be sent now. */
  quota({ delivered, outstanding, clean }: { readonly delivered: number; readonly outstanding: number; readonly clean: boolean }): number {
    this.#delivered += delivered;
    const proportional = Math.ceil((this.#delivered * this.#target) / this.#before) - this.#sent;
    const bounded = Math.min(this.#target - outstanding, Math.max(this.#delivered - this.#sent, delivered) + (clean ? 1 : 0));
    const quota = outstanding > this.#target ? proportional : bounded;
    // The first retransmission goes out at once.
    return Math.max(quota, this.#sent === 0 ? 1 : 0);
  }

  sent(): void {
    this.#sent += 1;
  }
}
