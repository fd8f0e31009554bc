// SPDX-License-Identifier: Apache-2.0
// An FMU that is a participant of a system: it becomes a model that has nothing but the FMU in a control block, a signal
// for each input and a probe for each output that is named.
#ifndef LIMBER_INPUT_YAML_FMU_PARTICIPANT_H
#define LIMBER_INPUT_YAML_FMU_PARTICIPANT_H

#include "input/data.h"
#include "input/yaml/tree.h"

typedef struct Reader Reader;

// {fmu: valve.fmu, inputs: {supply: 200 bar}, outputs: [flow], parameters: {k: 900}}
Error ReadFmuParticipant(Reader *r, Participant *p, const Tree *map);
// An end PARTICIPANT.NAME of a connection. `name`: that of the signal or probe in the model.
Error ConnectFmu(Reader *r, Participant *p, const Tree *word, bool wave, bool input, const char **name, bool *good);
// Writes the models.
Error FinishFmuParticipants(Reader *r);

#endif
