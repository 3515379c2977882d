package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A shelf holds folders: what is in the one of an id lies at ID/data, what we know of it at ID/record.json. Both come and go by one rename, so that
// nothing is ever half there, whenever we are killed.
type shelf struct{ root, name string }

type record struct {
	Size   int64     // as it was asked for: nobody limits what is written
	Source string    // what it was copied from, as SHELF/ID; empty: it began as an empty folder
	Group  string    // of a snapshot that was taken with others: theirs
	Made   time.Time // when the copying began
}

func (s shelf) at(id string) string      { return filepath.Join(s.root, s.name, id) }
func (s shelf) data(id string) string    { return filepath.Join(s.at(id), "data") }
func (s shelf) source(id string) string  { return s.name + "/" + id }
func (s shelf) beside(name string) shelf { return shelf{s.root, name} }

// open makes the shelf, and removes what was not there yet, or not quite gone, when we were killed.
func (s shelf) open() error {
	err := os.MkdirAll(s.at(""), 0o755)
	for _, each := range s.names(".*") {
		err = errors.Join(err, os.RemoveAll(s.at(each)))
	}
	return err
}

func (s shelf) ids() []string { return s.names("[^.]*") }

func (s shelf) names(pattern string) []string {
	paths, _ := filepath.Glob(s.at(pattern)) // an error only of the pattern
	for i, each := range paths {
		paths[i] = filepath.Base(each)
	}
	return paths
}

func (s shelf) find(id string) (record, error) {
	var r record
	text, err := os.ReadFile(filepath.Join(s.at(id), "record.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return r, status.Errorf(codes.NotFound, "there is no %s among the %s", id, s.name)
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

// each calls see with every record there is.
func (s shelf) each(see func(id string, r record)) error {
	for _, id := range s.ids() {
		r, err := s.find(id)
		if status.Code(err) == codes.NotFound { // deleted just now
			continue
		}
		if err != nil {
			return err
		}
		see(id, r)
	}
	return nil
}

// add makes a folder of what the record says. An empty one is as the root of a new file system: root's, mode 0755; who wants to write there as somebody
// else needs an fsGroup, as with real storage.
func (s shelf) add(id string, r record) error {
	draft := s.at(".new-" + id)
	if err := errors.Join(os.RemoveAll(draft), os.Mkdir(draft, 0o755)); err != nil {
		return err
	}
	data := filepath.Join(draft, "data")
	if r.Source == "" {
		if err := os.Mkdir(data, 0o755); err != nil {
			return err
		}
	} else if words, err := exec.Command("cp", "-a", "--reflink=auto", filepath.Join(s.root, r.Source, "data"), data).CombinedOutput(); err != nil {
		return status.Errorf(codes.Internal, "%s could not be copied: %s", r.Source, words)
	}
	text, err := json.Marshal(r)
	if err == nil {
		err = os.WriteFile(filepath.Join(draft, "record.json"), text, 0o644)
	}
	if err == nil {
		err = os.Rename(draft, s.at(id))
	}
	return err
}

// remove is content with what is not there.
func (s shelf) remove(id string) error {
	old := s.at(".old-" + id)
	if err := os.Rename(s.at(id), old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(old)
}
