// SPDX-License-Identifier: Apache-2.0
#include "output/file.h"

#include <string.h>

// Old formats carry no mark that a file is open, so that a file can be read while it is written and after a crash;
// locking would forbid the former. Without aggregation of small blocks the place of everything in the file depends on
// the order of the writes alone, not on when the file was flushed.
PetscErrorCode FileCreate(const char *path, hid_t *file) {
  hid_t access, create;
  PetscFunctionBegin;
  H5Make(access, H5Pcreate(H5P_FILE_ACCESS));
  H5Call(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));
  H5Call(H5Pset_file_locking(access, 0, 1));
  H5Call(H5Pset_meta_block_size(access, 0));
  H5Call(H5Pset_small_data_block_size(access, 0));
  H5Make(create, H5Pcreate(H5P_FILE_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  H5Make(*file, H5Fcreate(path, H5F_ACC_TRUNC, create, access));
  H5Call(H5Pclose(access));
  H5Call(H5Pclose(create));
  PetscFunctionReturn(0);
}

PetscErrorCode FileGroup(hid_t file, const char *path, const char *description) {
  hid_t create, group;
  PetscFunctionBegin;
  H5Make(create, H5Pcreate(H5P_GROUP_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  H5Make(group, H5Gcreate2(file, path, H5P_DEFAULT, create, H5P_DEFAULT));
  PetscCall(FileText(group, "description", description));
  H5Call(H5Gclose(group));
  H5Call(H5Pclose(create));
  PetscFunctionReturn(0);
}

static PetscErrorCode Attribute(hid_t object, const char *name, hid_t type, hid_t space, hid_t memory,
                                const void *value) {
  hid_t attribute;
  PetscFunctionBegin;
  if (H5Aexists(object, name) > 0) H5Call(H5Adelete(object, name));
  H5Make(attribute, H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Call(H5Awrite(attribute, memory, value));
  H5Call(H5Aclose(attribute));
  PetscFunctionReturn(0);
}

static PetscErrorCode TextType(hid_t *type) {
  PetscFunctionBegin;
  H5Make(*type, H5Tcopy(H5T_C_S1));
  H5Call(H5Tset_size(*type, H5T_VARIABLE));
  H5Call(H5Tset_cset(*type, H5T_CSET_UTF8));
  PetscFunctionReturn(0);
}

PetscErrorCode FileText(hid_t object, const char *name, const char *text) {
  hid_t type, space;
  PetscFunctionBegin;
  PetscCall(TextType(&type));
  H5Make(space, H5Screate(H5S_SCALAR));
  PetscCall(Attribute(object, name, type, space, type, &text));
  H5Call(H5Sclose(space));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

PetscErrorCode FileTexts(hid_t object, const char *name, int count, const char *const *text) {
  hid_t type, space;
  hsize_t n = (hsize_t)count;
  PetscFunctionBegin;
  PetscCall(TextType(&type));
  H5Make(space, H5Screate_simple(1, &n, NULL));
  PetscCall(Attribute(object, name, type, space, type, text));
  H5Call(H5Sclose(space));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

PetscErrorCode FileReal(hid_t object, const char *name, double value) {
  hid_t space;
  PetscFunctionBegin;
  H5Make(space, H5Screate(H5S_SCALAR));
  PetscCall(Attribute(object, name, H5T_IEEE_F64LE, space, H5T_NATIVE_DOUBLE, &value));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

PetscErrorCode FileInt(hid_t object, const char *name, int value) {
  hid_t space;
  PetscFunctionBegin;
  H5Make(space, H5Screate(H5S_SCALAR));
  PetscCall(Attribute(object, name, H5T_STD_I32LE, space, H5T_NATIVE_INT, &value));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

PetscErrorCode FileLongText(hid_t file, const char *path, const char *text, const char *description) {
  hid_t type, space, create, set;
  PetscFunctionBegin;
  PetscCall(TextType(&type));
  H5Make(space, H5Screate(H5S_SCALAR));
  H5Make(create, H5Pcreate(H5P_DATASET_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  H5Make(set, H5Dcreate2(file, path, type, space, H5P_DEFAULT, create, H5P_DEFAULT));
  H5Call(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text));
  PetscCall(FileText(set, "units", ""));
  PetscCall(FileText(set, "description", description));
  H5Call(H5Dclose(set));
  H5Call(H5Pclose(create));
  H5Call(H5Sclose(space));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

PetscErrorCode FileTable(hid_t file, const char *path, int width, const char *const *columns, hid_t type,
                         const char *units, const char *description, hid_t *table) {
  hsize_t now[2] = {0, (hsize_t)width}, most[2] = {H5S_UNLIMITED, (hsize_t)width},
          chunk[2] = {FILE_CHUNK, (hsize_t)width};
  int rank = columns ? 2 : 1;
  hid_t space, create;
  PetscFunctionBegin;
  H5Make(space, H5Screate_simple(rank, now, most));
  H5Make(create, H5Pcreate(H5P_DATASET_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  H5Call(H5Pset_chunk(create, rank, chunk));
  H5Make(*table, H5Dcreate2(file, path, type, space, H5P_DEFAULT, create, H5P_DEFAULT));
  PetscCall(FileText(*table, "units", units));
  if (columns) PetscCall(FileTexts(*table, "columns", width, columns));
  PetscCall(FileText(*table, "description", description));
  H5Call(H5Pclose(create));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

PetscErrorCode FileRows(hid_t table, hsize_t before, int count, const double *rows, int stride, int first, int width) {
  hsize_t n = (hsize_t)count, now[2] = {before + n, (hsize_t)width}, at[2] = {before, 0}, size[2] = {n, (hsize_t)width};
  hsize_t memory_size[2] = {n, (hsize_t)stride}, memory_at[2] = {0, (hsize_t)first};
  hid_t space, memory;
  PetscFunctionBegin;
  if (!count) PetscFunctionReturn(0);
  H5Call(H5Dset_extent(table, now));
  H5Make(space, H5Dget_space(table));
  H5Call(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL));
  H5Make(memory, H5Screate_simple(2, memory_size, NULL));
  H5Call(H5Sselect_hyperslab(memory, H5S_SELECT_SET, memory_at, NULL, size, NULL));
  H5Call(H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rows));
  H5Call(H5Sclose(memory));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}
