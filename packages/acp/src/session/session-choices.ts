import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { AcpSession } from "../acp-options.ts";
import { byHost, named, refusal } from "../connection/refusal.ts";
import type { Wire } from "../connection/wire.ts";

/** What a person may choose in a session: its mode, its settings, and its commands. */
export class SessionChoices {
  readonly #made: AcpSession;
  readonly #wire: Pick<Wire, "update">;
  readonly #stopHearing: (() => void) | undefined;
  #isAnnounced = false;

  constructor(made: AcpSession, wire: Pick<Wire, "update">) {
    this.#made = made;
    this.#wire = wire;
    this.#stopHearing = made.onChange?.((what) => {
      if (this.#isAnnounced) this.#tell(what);
    });
  }

  /** What the answer to a request for the session holds of them. */
  state(): { modes?: SessionModeState; configOptions?: SessionConfigOption[] } {
    const { modes } = this.#made;
    const configOptions = this.#configOptions();
    return {
      ...(modes && { modes: { availableModes: [...modes.available], currentModeId: modes.current() } }),
      ...(configOptions && { configOptions }),
    };
  }

  announce(): void {
    this.#isAnnounced = true;
    this.#tell("commands");
  }

  close(): void {
    this.#isAnnounced = false;
    this.#stopHearing?.();
  }

  /** @throws RequestError for a mode that there is not, and one that cannot be set */
  async setMode(id: string): Promise<void> {
    const { modes } = this.#made;
    if (!modes?.available.some((mode) => mode.id === id)) throw refusal("params", `There is no mode ${named(id)}.`);
    await byHost(() => modes.set(id));
  }

  /** @throws RequestError as `setMode`, for a setting */
  async setSetting(id: string, value: unknown): Promise<SessionConfigOption[]> {
    const { settings } = this.#made;
    const setting = settings?.list().find((one) => one.id === id);
    if (!settings || !setting) throw refusal("params", `There is no setting ${named(id)}.`);
    if (typeof value !== "string" || !setting.choices.some((choice) => choice.value === value))
      throw refusal("params", `The setting ${named(id)} has no choice ${named(String(value))}.`);
    await byHost(() => settings.set(id, value));
    return this.#configOptions() ?? [];
  }

  #configOptions(): SessionConfigOption[] | undefined {
    return this.#made.settings?.list().map(
      ({ id, name, description, category, current, choices }): SessionConfigOption => ({
        type: "select",
        id,
        name,
        currentValue: current,
        options: [...choices],
        ...(description !== undefined && { description }),
        ...(category !== undefined && { category }),
      }),
    );
  }

  #tell(what: "modes" | "settings" | "commands"): void {
    const { modes, commands } = this.#made;
    const configOptions = this.#configOptions();
    if (what === "modes" && modes)
      void this.#wire.update({ sessionUpdate: "current_mode_update", currentModeId: modes.current() });
    if (what === "settings" && configOptions)
      void this.#wire.update({ sessionUpdate: "config_option_update", configOptions });
    if (what === "commands" && commands)
      void this.#wire.update({
        sessionUpdate: "available_commands_update",
        availableCommands: commands.list().map(({ name, description, hint }) => ({
          name,
          description,
          ...(hint !== undefined && { input: { hint } }),
        })),
      });
  }
}
